// Every column that holds texts sealed with the keys of personal data. `pii rotate` seals all of them anew; a text for
// a column that is missing here cannot be sealed (docs/rules/security.md#d6).

interface SealedPlace {
  readonly table: string
  readonly column: string
  /** Columns that tell the rows of a school apart. */
  readonly keys: readonly string[]
  /** Texts within JSON. */
  readonly isJson?: true
}

/** Names that texts are sealed for: a text copied to where another name counts does not open. */
export const sealContexts = [
  'biz.student.id_card',
  'sys.job_row.payload',
  'sys.totp.secret',
  'sys.hook.secret',
  'sys.sso_session.id_token',
] as const
/** `check` and secrets in the file of identity providers stand in no column that is rotated. */
export type SealContext = (typeof sealContexts)[number] | 'check' | 'sso.client_secret'

export const sealedPlaces: readonly SealedPlace[] = [
  { table: 'biz.student', column: 'id_card', keys: ['id'] },
  { table: 'sys.totp', column: 'secret', keys: ['user_id'] },
  { table: 'sys.hook', column: 'secret', keys: ['id'] },
  { table: 'sys.sso_session', column: 'id_token', keys: ['family_id'] },
  { table: 'sys.sso_attempt', column: 'id_token', keys: ['state_hash'] },
  { table: 'sys.job_row', column: 'payload', keys: ['job_id', 'row_no'], isJson: true },
  { table: 'sys.job_row', column: 'before', keys: ['job_id', 'row_no'], isJson: true },
  { table: 'sys.job_cell', column: 'value', keys: ['job_id', 'row_no', 'attr_name'], isJson: true },
  { table: 'sys.row_history', column: 'changes', keys: ['id'], isJson: true },
  { table: 'sys.document', column: 'content', keys: ['id'], isJson: true },
  { table: 'sys.order_content', column: 'content', keys: ['id'], isJson: true },
]
