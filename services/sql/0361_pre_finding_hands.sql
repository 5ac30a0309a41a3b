-- Few hands among many are looked for by these, so each has an index of its few.

create index verdicts_findings_idx on verdicts (hand) where findings > 0;
create index hands_conflicting_idx on hands (number) where conflicting;
