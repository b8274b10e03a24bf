-- What an operator states about the source of the last import. All are null where nothing was stated.
ALTER TABLE imported ADD COLUMN title TEXT;
ALTER TABLE imported ADD COLUMN licence TEXT;
ALTER TABLE imported ADD COLUMN holder TEXT;
