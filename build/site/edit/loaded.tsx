/** Parts of the editor whose program is loaded when they are shown. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Shows a part with the newest properties. @param props.load loads what shows it */
export function Loaded<P>({ load, props }: { load: () => Promise<(props: P) => VNode>; props: P }): VNode {
  const [part, setPart] = useState<{ show: (props: P) => VNode } | 'failed'>();
  useEffect(() => {
    load().then(
      (show) => setPart({ show }),
      () => setPart('failed'),
    );
  }, []);
  if (part === 'failed')
    return (
      <p class="notice bad" role="alert">
        <strong>This page could not be loaded</strong> Load it again when the network is back.
      </p>
    );
  if (!part) return <p class="empty">Loading …</p>;
  const Part = part.show;
  return <Part {...(props as P & object)} />;
}
