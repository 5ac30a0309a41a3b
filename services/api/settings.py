"""What a place may set about the service, from `STUDLEDGER_…` variables, checked once."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from limits import parse
from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.access import Lasting
from services.errors import BadSettings
from services.ledger.daily import FirstDays
from services.live_clock import OutagePolicy, Terms
from services.reports.rake_wanted import BadRakeQuestion, zone_of
from services.settings import PREFIX


def _rate(text: str) -> str:
    """A rate that the limiter can read."""
    try:
        parse(text)
    except ValueError:
        raise ValueError("a rate is written as 600/minute or 20/second") from None
    return text


def _zone(name: str) -> str:
    """A time zone of the IANA database."""
    try:
        zone_of(name)
    except BadRakeQuestion as wrong:
        raise ValueError(wrong.message) from None
    return name


Rate = Annotated[str, AfterValidator(_rate)]
Zone = Annotated[str, AfterValidator(_zone)]


class ApiSettings(BaseSettings):
    """Limits of the service. Rates are per process.

    `rate_per_key` is what one key may ask, `rate_per_dealer` what a dealer's may if that is more,
    since all actions of his tables come under it, `rate_of_failures` how often one address may fail
    to show a good key. `max_body` and `max_query` are bytes. `ready_lag` is how many events the
    projections or the log may be behind before the service calls itself not ready.
    `checkpoint_seconds` is how often the log is signed, never if 0. `shutdown_seconds` is how long
    running requests may take once it is asked to stop. `clock_grace` is how many seconds after its
    deadline a turn of a live hand runs out, `outage_seconds` for how long nobody may have kept the
    clocks before it is an outage, and `outage_policy` what becomes of the turns then.
    With `daily_close` gaming days are closed when they are over; the first one is of
    `close_time_zone` and begins at `close_day_start` there.
    Who is signed in at the pages stays so for `session_hours`, and for `session_idle_minutes`
    without asking for one.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", hide_input_in_errors=True
    )

    rate_per_key: Rate = "1200/minute"
    rate_per_dealer: Rate = "15000/minute"
    rate_of_failures: Rate = "30/minute"
    max_body: Annotated[int, Field(ge=1)] = 1 << 20
    max_query: Annotated[int, Field(ge=1)] = 4096
    ready_lag: Annotated[int, Field(ge=0)] = 50_000
    checkpoint_seconds: Annotated[int, Field(ge=0)] = 300
    shutdown_seconds: Annotated[int, Field(ge=1)] = 20
    clock_grace: Annotated[float, Field(ge=0, le=60)] = 0.5
    # A sign of life is given every second: less would take a late one for an outage.
    outage_seconds: Annotated[float, Field(ge=2)] = 5
    outage_policy: OutagePolicy = "extend"
    daily_close: bool = False
    close_time_zone: Zone = "UTC"
    close_day_start: Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")] = "00:00"

    session_hours: Annotated[int, Field(ge=1, le=168)] = 12
    session_idle_minutes: Annotated[int, Field(ge=1, le=1440)] = 60

    @property
    def lasting(self) -> Lasting:
        """How long somebody stays signed in."""
        return Lasting(
            idle=timedelta(minutes=self.session_idle_minutes),
            longest=timedelta(hours=self.session_hours),
        )

    @property
    def clock(self) -> Terms:
        """How the clocks of live hands are kept."""
        return Terms(
            grace=timedelta(seconds=self.clock_grace),
            outage_after=timedelta(seconds=self.outage_seconds),
            outage_policy=self.outage_policy,
        )

    @property
    def first_days(self) -> FirstDays:
        """Whose days are closed, where none was closed before."""
        return FirstDays(self.close_time_zone, self.close_day_start)


def load_api_settings() -> ApiSettings:
    """The settings of this process. Raises BadSettings, naming each variable that is wrong."""
    try:
        return ApiSettings()
    except ValidationError as wrong:
        raise BadSettings(
            "; ".join(
                f"{PREFIX}{'_'.join(map(str, error['loc'])).upper()}: "
                + error["msg"].removeprefix("Value error, ")
                for error in wrong.errors(include_input=False, include_url=False)
            )
        ) from None
