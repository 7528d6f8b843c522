// Students as applicants: a role made of what flows of the school let students do with their own rows
// (docs/rules/contract.md#students-as-applicants).
import { studentTag } from '@jiaowu/api/entity/definition/flow'
import { type EntityAction, entityPermission } from '@jiaowu/api/entity/permission'
import type { FieldNarrowing } from '@jiaowu/api/entity/role'
import { sql } from 'kysely'
import { notFound } from '../platform/refusal.ts'
import type { StoredRule, Subject } from '../platform/context.ts'
import type { Context } from '../model/context.ts'
import { fieldKey, tableKey } from '../model/definition/column-key.ts'
import { type LoadedEntity, valueFields } from '../model/definition/loaded.ts'
import { aimedName } from './rules/aimed-names.ts'
import { ownAim, ruleTargets } from './rules/rule-targets.ts'
import { studentRole } from './student-role.ts'

const studentTable = 'biz.student'
const actions: readonly EntityAction[] = ['view', 'add', 'update']
const closed: FieldNarrowing = {
  isList: 0,
  isQuery: 0,
  isDetail: 0,
  isExport: 0,
  isAdd: 0,
  isEdit: 0,
}
const readOnly: FieldNarrowing = { isQuery: 0, isExport: 0, isAdd: 0, isEdit: 0 }
const filled: FieldNarrowing = { isQuery: 0, isExport: 0 }

/** The entities whose flow lets students of the school begin cases, by tag. */
export async function listApplicationKinds({
  registry,
  subject,
}: Pick<Context, 'registry' | 'subject'>): Promise<readonly LoadedEntity[]> {
  return (await registry.all(subject.tenant))
    .filter(({ definition }) => definition.options.flow?.student !== undefined)
    .toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
}

/**
 * The signed-in student with the rights of an applicant: the applications that the student made, the fields that
 * flows let students fill in, and as choices only own rows of entities that belong to students.
 * @throws Refusal 404 for staff, and where the student is gone
 */
export async function toApplicant<C extends Context>(context: C): Promise<C> {
  const { subject, registry } = context
  if (subject.isApplicant === true) return context
  if (subject.kind !== 'student') throw notFound()
  const org = await readStudentOrg(context)
  const kinds = await listApplicationKinds(context)
  const codes = kinds.flatMap(({ tag }) => actions.map((action) => entityPermission(tag, action)))
  const rules: Record<string, StoredRule> = {}
  for (const entity of await registry.all(subject.tenant)) {
    const own = await findOwnField(context, entity)
    if (own !== undefined)
      rules[tableKey(entity)] ??= { scope: 'expression', expression: own, overrides: {} }
  }
  for (const entity of kinds) {
    const table = tableKey(entity)
    rules[table] = buildOwnRule(entity, rules[table]?.expression ?? null)
  }
  const person = { tag: studentTag, id: subject.userId }
  const grants: Subject['grants'] = [{ id: '0', code: studentRole, permissions: codes, rules }]
  return {
    ...context,
    subject: { ...subject, isApplicant: true, org, person, permissions: new Set(codes), grants },
  }
}

/** The part of the organisation that the student belongs to, which new rows get. @throws Refusal 404 */
async function readStudentOrg({ database: { kysely }, subject }: Context): Promise<Subject['org']> {
  const { tenant, userId } = subject
  const { rows } = await sql<{ id: string | null; name: string | null }>`
    select o.id, o.name from biz.student s
    left join sys.org o on o.tenant_id = s.tenant_id and o.id = s.org_id
    where s.tenant_id = ${tenant}::int8 and s.id = ${userId}::int8 and s.deleted_at is null`.execute(
    kysely,
  )
  const [student] = rows
  if (student === undefined) throw notFound()
  const { id, name } = student
  return id === null ? null : { id, name: name ?? '' }
}

/** The rule that keeps the rows of a student, for students themselves and entities that refer to one. */
async function findOwnField(context: Context, entity: LoadedEntity): Promise<string | undefined> {
  if (tableKey(entity) === studentTable) {
    const [field] = valueFields(entity).filter((each) => ownAim(entity, each) !== undefined)
    const aim = field === undefined ? undefined : ownAim(entity, field)
    const column = field?.column?.name ?? entity.key[0]?.name
    if (column === undefined) return undefined
    return compareWithPerson(column, aim ?? { table: studentTable, key: [column] })
  }
  const targetOf = await ruleTargets(context, entity)
  const applied = entity.definition.options.flow?.student?.field
  const fields = valueFields(entity).toSorted(
    (a, b) => Number(b.definition.attrName === applied) - Number(a.definition.attrName === applied),
  )
  for (const { definition, column } of fields) {
    const target = targetOf(entity, definition.attrName)
    if (column === null || target?.isSingle !== true || target.aim.table !== studentTable) continue
    return compareWithPerson(column.name, target.aim)
  }
  return undefined
}

function compareWithPerson(column: string, aim: Parameters<typeof aimedName>[0]['aim']): string {
  return `row[${JSON.stringify(aimedName({ column, aim }))}] == user.person`
}

/** Own rows that the student made: what an office begins about a student is the office's. */
function buildOwnRule(entity: LoadedEntity, own: string | null): StoredRule {
  const { flow } = entity.definition.options
  const student = flow?.student
  const expression =
    own === null || !entity.has('create_user') ? own : `${own} && row["create_user"] == user.id`
  const keys = (names: readonly string[]) =>
    new Set(
      names.flatMap((name) => {
        const field = entity.field(name)
        return field === undefined ? [] : [fieldKey(field)]
      }),
    )
  const fill = keys(student?.fill ?? [])
  const shown = keys([student?.field ?? '', flow?.field ?? ''])
  const overrides = Object.fromEntries(
    valueFields(entity).map((field) => {
      const key = fieldKey(field)
      return [key, fill.has(key) ? filled : shown.has(key) ? readOnly : closed]
    }),
  )
  // Without a field that names the student no row is anybody's.
  return { scope: 'expression', expression: expression ?? 'false', overrides }
}
