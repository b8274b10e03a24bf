/** Receipts in words, a batch as one, each with the way back. */
import { type Access, Changes, NoticeBox, type Receipts, useWork } from './work.tsx';
import { findReceipts, type Receipt } from './requests.ts';
import { whenOf } from './times.ts';

interface ReceiptListProps {
  receipts: Receipts;
  access: Access;
  /** The heading of each. */
  Title: 'h2' | 'h3';
  /** Reads the receipts again. */
  onChange: () => Promise<unknown>;
}

/** @param props.receipts newest first */
export function ReceiptList({ receipts, access, Title, onChange }: ReceiptListProps) {
  const working = useWork(access);
  /** The changes of a batch are undone together, also those of another page. */
  const undoBatch = async (own: Receipts) => {
    const { group } = own[0]!;
    const all = group === undefined ? own : (await findReceipts(`group=${group}`, access.key)).receipts;
    await working.undo(all, onChange);
  };
  const batches = new Map<number, Receipt[]>();
  for (const one of receipts) {
    const batch = one.group ?? one.id;
    batches.set(batch, [...(batches.get(batch) ?? []), one]);
  }
  return (
    <>
      <NoticeBox working={working} show={onChange} />
      {[...batches].map(([id, own]) => (
        <article key={id} class="receipt">
          <Title>
            {own[0]!.key}, <time dateTime={own[0]!.at}>{whenOf(own[0]!.at)}</time>
          </Title>
          <button type="button" onClick={() => void undoBatch(own)}>
            Undo
          </button>
          <Changes receipts={own} />
        </article>
      ))}
    </>
  );
}
