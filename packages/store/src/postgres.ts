// The side door of @loopx/store to PostgreSQL, whose driver no other store loads.
export { openPostgres, type OpenPostgresOptions } from "./postgres/open-postgres.ts";
export { openPostgresPool } from "./postgres/open-postgres-pool.ts";
export { parsePostgresUrl, renderPostgresAddress, type PostgresAddress } from "./postgres/postgres-address.ts";
export { readServerClock } from "./postgres/read-server-clock.ts";
