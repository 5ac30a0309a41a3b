"""One hand each as Full Tilt and Bovada print it, written for the tests."""

from __future__ import annotations

FULLTILT = """\
Full Tilt Poker Game #8001: Table Lyra (6 max) - $2/$4 Ante $0.20 - Limit Stud Hi - \
19:30:00 CET - 2011/03/01 [13:30:00 ET - 2011/03/01]
Seat 1: anna ($40)
Seat 2: bert ($40)
Seat 4: cleo ($40)
Seat 6: dora ($12.50), is sitting out
cleo antes $0.20
anna antes $0.20
bert antes $0.20
*** 3RD STREET ***
Dealt to anna [Ah Kd] [9c]
Dealt to bert [2d]
Dealt to cleo [Qs]
bert is low with [2d]
bert brings in for $0.50
cleo completes it to $2
anna calls $2
bert folds
*** 4TH STREET ***
Dealt to anna [Ah Kd 9c] [8h]
Dealt to cleo [Qs] [7s]
cleo bets $2
anna calls $2
*** 5TH STREET ***
Dealt to anna [Ah Kd 9c 8h] [4c]
Dealt to cleo [Qs 7s] [2h]
cleo checks
anna bets $4
cleo calls $4
*** 6TH STREET ***
Dealt to anna [Ah Kd 9c 8h 4c] [3d]
Dealt to cleo [Qs 7s 2h] [5d]
cleo checks
anna checks
*** 7TH STREET ***
Dealt to anna [Ah Kd 9c 8h 4c 3d] [As]
cleo checks
anna bets $4
cleo calls $4
*** SHOW DOWN ***
anna shows [Ah Kd 9c 8h 4c 3d As] a pair of Aces
cleo mucks
anna wins the pot ($24.10) with a pair of Aces
*** SUMMARY ***
Total pot $25.10 | Rake $1
Seat 1: anna showed [Ah Kd 9c 8h 4c 3d As] and won ($24.10) with a pair of Aces
Seat 2: bert folded on 3rd St.
Seat 4: cleo mucked [Js Tc Qs 7s 2h 5d 6c] - Queen Jack high
Seat 6: dora is sitting out
"""
"""Three players, one folds, the hero wins at the showdown: pot 2510 cents, rake 100."""

FULLTILT_HEADER = FULLTILT.splitlines()[0]

FULLTILT_HIGH_LOW = """\
Full Tilt Poker Game #8002: Table Lyra - $2/$4 Ante $0.20 - Limit Stud H/L - \
13:31:00 ET - 2011/03/01
Seat 1: anna ($40)
Seat 2: bert ($6.20)
Seat 4: cleo ($40)
anna antes $0.20
bert antes $0.20
cleo antes $0.20
*** 3RD STREET ***
Dealt to anna [Ah Ad] [9c]
Dealt to bert [2d]
Dealt to cleo [Ts]
bert is low with [2d]
bert completes it to $2
cleo calls $2
anna raises to $4
bert raises to $6, and is all in
cleo calls $4
anna calls $2
*** 4TH STREET ***
Dealt to anna [Ah Ad 9c] [9h]
Dealt to bert [2d] [3c]
Dealt to cleo [Ts] [7h]
anna bets $2
cleo calls $2
*** 5TH STREET ***
Dealt to anna [Ah Ad 9c 9h] [4c]
Dealt to bert [2d 3c] [6h]
Dealt to cleo [Ts 7h] [5d]
anna checks
cleo checks
*** 6TH STREET ***
Dealt to anna [Ah Ad 9c 9h 4c] [Kd]
Dealt to bert [2d 3c 6h] [8s]
Dealt to cleo [Ts 7h 5d] [Qc]
anna checks
cleo checks
*** 7TH STREET ***
Dealt to anna [Ah Ad 9c 9h 4c Kd] [Js]
anna checks
cleo checks
*** SHOW DOWN ***
anna shows [Ah Ad 9c 9h 4c Kd Js] two pair, Aces and Nines, for high
cleo shows [Th Jd Ts 7h 5d Qc Kc] a pair of Tens, for high
anna wins the side pot ($4) with two pair, Aces and Nines
No low hand qualified
bert shows [Ac 4d 2d 3c 6h 8s Kh] Ace King high, for high and 6,4,3,2,A, for low
anna wins the high main pot ($8.80) with two pair, Aces and Nines
bert wins the low main pot ($8.80) with 6,4,3,2,A
*** SUMMARY ***
Total pot $22.60 Main pot $18.60. Side pot $4. | Rake $1
Seat 1: anna showed [Ah Ad 9c 9h 4c Kd Js] and won ($12.80) with HI: two pair, Aces and Nines
Seat 2: bert showed [Ac 4d 2d 3c 6h 8s Kh] and won ($8.80) with LO: 6,4,3,2,A
Seat 4: cleo showed [Th Jd Ts 7h 5d Qc Kc] and lost with HI: a pair of Tens
"""
"""A main pot of 1860 split high and low less the rake of 100, a side pot of 400 without a low."""

BOVADA = """\
Bovada Hand #9001 TBL#55 7CARD HiLo Fixed Limit - 2013-05-06 07:08:09
Seat+1: $20 in chips
Seat+3 [ME]: $20 in chips
Seat+5: $20 in chips
Seat+1 : Ante chip $0.10
Seat+3 [ME] : Ante chip $0.10
Seat+5 : Ante chip $0.10
*** 3RD STREET ***
Seat+1 : Card dealt to a spot [Ah Kd 9c]
Seat+3 [ME] : Card dealt to a spot [4h 6s 2d]
Seat+5 : Card dealt to a spot [Jh Jd Qs]
Seat+3 [ME] : Bring_in chip $0.50
Seat+5 : Folds
Seat+1 : Raises $1 to $1
Seat+3 [ME] : Calls $0.50
*** 4TH STREET ***
Seat+1 : Card dealt to a spot [8h]
Seat+3 [ME] : Card dealt to a spot [3c]
Seat+1 : Bets $1
Seat+3 [ME] : Calls $1
*** 5TH STREET ***
Seat+1 : Card dealt to a spot [9d]
Seat+3 [ME] : Card dealt to a spot [7s]
Seat+1 : Bets $2
Seat+3 [ME] : Raises $4 to $4
Seat+1 : Calls $2
*** 6TH STREET ***
Seat+1 : Card dealt to a spot [Tc]
Seat+3 [ME] : Card dealt to a spot [Kh]
Seat+1 : Checks
Seat+3 [ME] : Checks
*** RIVER ***
Seat+1 : Card dealt to a spot [5s]
Seat+3 [ME] : Card dealt to a spot [Kc]
Seat+1 : Checks
Seat+3 [ME] : Bets $2
Seat+1 : Calls $2
Seat+3 [ME] : Showdown [Kh Kc 7s 6s 4h 2d 3c 4h 6s 7s] (One pair)
Seat+1 : Does not show [9c 9d Ah Kd Tc] (One pair)
Seat+3 [ME] : Hand result $15.60
*** SUMMARY ***
Total Pot($16.30) | Rake ($0.70)
Seat+1:   lost with One pair [Ah Kd 9c 8h 9d Tc 5s-9c 9d Ah Kd Tc]
Seat+3:  HI $7.80 with One pair [4h 6s 2d 3c 7s Kh Kc-Kh Kc 7s 6s 4h] LO $7.80 [4h 6s 2d 3c 7s]
Seat+5:  Folded on the 3rd STREET
"""
"""Three players; the hero wins both halves: pot 1630 cents, rake 70."""
