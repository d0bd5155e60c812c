-- What a price rests on goes with its price, and never alone: with it gone, a price that money was valued with would
-- prove nothing. Deleting a price takes its quotes along without this right.
revoke delete on market_quotes from assay_app;
