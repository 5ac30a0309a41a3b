"""The whole ledger: accounts, sessions, days, and the days that are closed."""

from services.ledger.accounts import Accounts, Balance, accounts
from services.ledger.closing import Closes, CloseTold, CloseWanted, close_day, close_due, closes
from services.ledger.days import LedgerDay, LedgerQuestion, ledger_day
from services.ledger.report import LateEntry
from services.ledger.sessions import SessionFound, SessionsFound, SessionsWanted, sessions

__all__ = [
    "Accounts",
    "Balance",
    "CloseTold",
    "CloseWanted",
    "Closes",
    "LateEntry",
    "LedgerDay",
    "LedgerQuestion",
    "SessionFound",
    "SessionsFound",
    "SessionsWanted",
    "accounts",
    "close_day",
    "close_due",
    "closes",
    "ledger_day",
    "sessions",
]
