import type { ResourceName } from '../../../api/contract/names.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
export interface Hit {
  href: string;
  label: string;
  detail: string;
  won?: boolean;
  resource?: ResourceName;
  id?: number;
}
export interface Finding {
  groups: { title: string; hits: Hit[] }[];
  isNear?: boolean;
  note?: string;
  nominations: string;
}
export async function findRecords(_snapshot: Snapshot, typed: string): Promise<Finding> {
  return { groups: [], nominations: `/api/search?${new URLSearchParams({ q: typed })}` };
}
