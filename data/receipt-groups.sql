-- The writes of one batch are one group: its number is the id of its first receipt, NULL for a single write.
ALTER TABLE receipts ADD COLUMN group_id INTEGER;

-- What receipts are searched by.
CREATE INDEX receipts_of_group ON receipts (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX receipts_of_record ON receipts (resource, record_id);
CREATE INDEX receipts_of_key ON receipts (key_name);
