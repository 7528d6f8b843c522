/** Statements that may read rows of all schools. */
interface Exception {
  /** A part of the text, without quotes around names and with single spaces. */
  readonly statement: string
  readonly reason: string
}

export const exceptions: readonly Exception[] = [
  {
    statement: `as at from sys.job where status = 'queued'`,
    reason: 'finds the next job; the claim names its school',
  },
  {
    statement: 'select distinct tenant_id::text as tenant from sys.job',
    reason: 'finds the schools with interrupted jobs; each is recovered by itself',
  },
]

/** Files and folders of apps/server/src whose statements do not all name the school yet. */
export const pending: readonly string[] = [
  'access/',
  'commands/',
  'demo/',
  'documents/',
  'entities/',
  'identity/',
  'payments/',
  'pii/',
  'platform/',
  'students/',
]
