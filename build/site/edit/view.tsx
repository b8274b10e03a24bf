/** The view of the address, which the service has matched. Its program is loaded when it is shown. */
import type { VNode } from 'preact';
import { isWritable, type ResourceName, resourceNames } from '../../../api/contract/names.ts';
import { Loaded } from './loaded.tsx';
import { isNamed } from './naming.ts';
import type { Access } from './work.tsx';

/** Loads the view of the address. @returns what shows it for an editor */
async function viewAt(path: string): Promise<(props: { access: Access }) => VNode> {
  const [, , name, last, part, category] = path.split('/');
  const resource = resourceNames.find((known): known is ResourceName => known === name);
  const id = Number(last) || undefined;
  if (name === 'receipts') {
    const { Receipts } = await import('./receipts.tsx');
    return ({ access }) => <Receipts access={access} />;
  }
  if (!resource || !isWritable(resource)) {
    const { Desk } = await import('./desk.tsx');
    return ({ access }) => <Desk access={access} />;
  }
  if (part === 'merge' && isNamed(resource)) {
    const { Merge } = await import('./merge.tsx');
    return ({ access }) => <Merge resource={resource} id={id!} access={access} />;
  }
  if (!part) {
    const { RecordForm } = await import('./record-form.tsx');
    return ({ access }) => <RecordForm resource={resource} id={id} access={access} />;
  }
  const { Night } = await import('./night.tsx');
  return ({ access }) => (
    <Night ceremony={id!} view={part} category={Number(category) || undefined} access={access} />
  );
}

export const View = ({ access }: { access: Access }) => (
  <Loaded load={() => viewAt(location.pathname)} props={{ access }} />
);
