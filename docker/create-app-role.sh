#!/bin/bash
# Run once by the postgres image, when the database is made: the application's own login. It owns
# nothing; migrations grant it what it needs, and that is never update, delete or truncate of events.
set -euo pipefail

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set password="$APP_PASSWORD" <<'SQL'
CREATE ROLE studledger_app LOGIN PASSWORD :'password';
REVOKE ALL ON DATABASE studledger FROM PUBLIC;
GRANT CONNECT ON DATABASE studledger TO studledger_app;
SQL
