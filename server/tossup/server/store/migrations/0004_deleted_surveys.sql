-- The day a survey was deleted. Its row and manifests stay: they keep its id from another survey,
-- and tell devices that come later why nothing is taken.
ALTER TABLE surveys ADD COLUMN deleted_on TEXT;
