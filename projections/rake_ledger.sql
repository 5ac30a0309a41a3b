-- name: postings_of_hand
-- The books of one hand, entry by entry.
select step, line, account, amount, memo, bearer, day, currency, exponent
  from rake_ledger where hand = %(hand)s order by step, line;
