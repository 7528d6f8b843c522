/** The system tables as Kysely sees them. Entity tables are not here: they exist as metadata only. */
export interface Tables {}
