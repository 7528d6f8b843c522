// Saves several definitions at once, all or none, with their dictionaries and menu entries.
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { limits } from '@jiaowu/api/limits'
import { may } from '@jiaowu/api/entity/permission'
import { parseEntity } from '@jiaowu/validation'
import type { Context } from '../../model/context.ts'
import { type Fault, forbidden, Invalid, Refusal } from '../../platform/refusal.ts'
import { acceptDefinition, definitionIn } from '../design/check.ts'
import { createDefinitions } from '../design/store.ts'

/**
 * @throws Refusal 403 without `entity:adopt`, 409 for a tag that is taken; Invalid with the faults of
 * every definition, whose paths begin with its tag
 */
export async function adoptDefinitions(
  context: Context,
  bodies: readonly Record<string, unknown>[],
  menuId: string | null,
): Promise<{ adopted: { tag: string; name: string }[] }> {
  if (!may(context.subject.permissions, 'entity:adopt')) throw forbidden()
  if (bodies.length === 0 || bodies.length > limits.adoptTables)
    throw new Refusal(422, { key: 'adopt.tooMany', params: { n: limits.adoptTables } })
  const plain = bodies.map(definitionIn)
  const pending = plain.flatMap((body) => parseEntity(body).definition ?? [])
  assertDistinct(pending)
  const faults: Fault[] = []
  const accepted: EntityDefinition[] = []
  for (const [i, body] of plain.entries())
    try {
      accepted.push((await acceptDefinition(context, body, null, pending)).definition)
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      const tag = typeof body['tag'] === 'string' ? body['tag'] : String(i)
      faults.push(
        ...error.faults.map((fault) => ({ ...fault, path: `definitions.${tag}.${fault.path}` })),
      )
    }
  if (faults.length > 0) throw new Invalid(faults)
  await createDefinitions(context, accepted, { note: null, menu: true, menuId })
  context.registry.invalidate()
  return { adopted: accepted.map(({ tag, name }) => ({ tag, name })) }
}

/** @throws Invalid when two definitions have one tag */
function assertDistinct(definitions: readonly EntityDefinition[]): void {
  const seen = new Set<string>()
  for (const { tag } of definitions) {
    if (seen.has(tag.toLowerCase()))
      throw new Invalid([
        {
          path: `definitions.${tag}.tag`,
          rule: 'duplicate',
          message: { key: 'adopt.sameTag', params: { tag } },
        },
      ])
    seen.add(tag.toLowerCase())
  }
}
