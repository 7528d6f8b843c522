import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { may } from '@jiaowu/api/entity/permission'
import type { Context } from '../../model/context.ts'
import { markedColumns, markKey } from '../../model/definition/registry/marks.ts'
import { Refusal } from '../../platform/refusal.ts'

/**
 * Removing the last mark of a column shows its values, so it needs `pii:reveal`
 * (docs/rules/security.md#d4). `after` is null when the definition is deleted.
 * @throws Refusal 403 naming the field
 */
export async function assertMarksKept(
  context: Context,
  before: EntityDefinition,
  after: EntityDefinition | null,
): Promise<void> {
  const marked = before.fields.filter(({ pii }) => pii !== null)
  if (marked.length === 0 || may(context.subject.permissions, 'pii:reveal')) return
  const others = (await context.registry.all(context.subject.tenant)).filter(
    ({ tag }) => tag !== before.tag,
  )
  const marks = markedColumns([...others, ...(after === null ? [] : [{ definition: after }])])
  const lost = marked.find((field) => !marks.has(markKey(before, field)))
  if (lost === undefined) return
  await context.auditAlone({
    action: 'pii.unmark',
    object: before.tag,
    result: 'denied',
    detail: { field: lost.attrName },
  })
  throw new Refusal(403, { key: 'pii.markKept', params: { name: lost.uiLabel } })
}
