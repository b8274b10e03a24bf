-- Why a record was written: the note of a write in its batch.
ALTER TABLE receipts ADD COLUMN note TEXT CHECK (note <> '');
