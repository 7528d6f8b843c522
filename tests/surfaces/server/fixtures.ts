import type { Field } from '@jiaowu/api/entity/config'
import { createOwnViews } from './rows/own-views.ts'
import { createRows, type RowSet } from './rows/rows.ts'
import { makeOnce, type RunContext } from './run-context.ts'
import { createSubject } from './subject.ts'

const numbers = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'))
export const parentTag = 'EDU_FACULTY',
  childTag = 'EDU_MAJOR'

/**
 * Records that several machines need, created when first requested. Entities are those of the demo
 * data (docs/rules/contract.md#demo-data).
 */
export type Fixtures = ReturnType<typeof createFixtures>

export function createFixtures(run: RunContext) {
  /** Twelve rows of an entity without parents, for lists and forms. */
  const listed = makeOnce(() => createRows(run, parentTag, 'a', numbers))
  /** One row of the same entity, for the children. */
  const parents = makeOnce(() => createRows(run, parentTag, 'p', ['1']))
  /** Twelve rows of an entity that refers to it. */
  const children = makeOnce(async () => {
    const above = await parents(),
      { api } = await run.helper('admin')
    const { fields } = await api.entityData.config({ params: { tag: childTag } })
    const choice = [{ id: above.idOf('1'), name: above.called('1') }]
    const link = fields.find(choosesFrom(parentTag))
    return createRows(run, childTag, 'c', numbers, () =>
      link === undefined ? {} : { [link.attrName]: choice },
    )
  })
  return {
    run,
    listed,
    parents,
    children,
    /** Two views of the list of `listed`. */
    views: makeOnce(async () => createOwnViews(run, await listed())),
    registrar: makeOnce(() => createSubject(run, 'registrar')),
    admin: makeOnce(() => createSubject(run, 'admin')),
  }
}

/** Whether the choices of a field are rows of this entity. */
export function choosesFrom(tag: string): (field: Field) => boolean {
  return ({ dictType, dictValue }) => dictType === 1 && dictValue?.startsWith(`${tag}.`) === true
}

/** The field of `child` whose choices are rows of the entity. @throws where there is none */
export function linkTo(child: RowSet, tag: string): Field {
  const field = child.config.fields.find(choosesFrom(tag))
  if (field === undefined) throw new Error(`${child.tag} does not refer to ${tag}`)
  return field
}
