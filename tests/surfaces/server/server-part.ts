import type { Spec } from '../../machines/spec.ts'
import { createOwnViews, type OwnViews } from './rows/own-views.ts'
import { createRows, type RowSet } from './rows/rows.ts'
import type { Scenes, Stage } from './server-driver.ts'
import { createSubject, type Subject } from './subject.ts'
import type { RunContext } from './run-context.ts'

/**
 * One concern of a machine on a real server: the model with that server's data, and a fresh
 * environment per path.
 */
export interface ServerPart {
  readonly spec: Spec<unknown>
  readonly scenes: Scenes
  stage(): Promise<Stage>
}
export type ServerParts = (fixtures: Fixtures) => Promise<Readonly<Record<string, ServerPart>>>

/**
 * Records that several machines need, created when first requested. Entities are those of the demo
 * data (docs/rules/contract.md#demo-data).
 */
export interface Fixtures {
  readonly run: RunContext
  registrar(): Promise<Subject>
  admin(): Promise<Subject>
  /** Twelve rows of an entity without parents, for lists and forms. */
  listed(): Promise<RowSet>
  /** One row of the same entity, for the children. */
  parents(): Promise<RowSet>
  /** Twelve rows of an entity that refers to it. */
  children(): Promise<RowSet>
  /** Two views of the list of `listed`. */
  views(): Promise<OwnViews>
}

const numbers = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'))
export const parentTag = 'EDU_FACULTY',
  childTag = 'EDU_MAJOR'

/** The field of `child` whose choices are rows of `parent`. */
export function linkTo(child: RowSet, parentTagName: string): string {
  const field = child.config.fields.find(
    ({ dictType, dictValue }) =>
      dictType === 1 && dictValue?.startsWith(`${parentTagName}.`) === true,
  )
  if (field === undefined) throw new Error(`${child.tag} does not refer to ${parentTagName}`)
  return field.attrName
}

export function createFixtures(run: RunContext): Fixtures {
  const known = new Map<string, Promise<unknown>>()
  const once =
    <T>(name: string, make: () => Promise<T>) =>
    (): Promise<T> => {
      const made = known.get(name) ?? make()
      known.set(name, made)
      return made as Promise<T>
    }
  const parents = once('parents', () => createRows(run, parentTag, 'p', ['1']))
  const listed = once('listed', () => createRows(run, parentTag, 'a', numbers))
  return {
    run,
    parents,
    listed,
    registrar: once('registrar', () => createSubject(run, 'registrar')),
    admin: once('admin', () => createSubject(run, 'admin')),
    views: once('views', async () => createOwnViews(run, await listed())),
    children: once('children', async () => {
      const above = await parents(),
        { api } = await run.helper('admin')
      const { fields } = await api.entityData.config({ params: { tag: childTag } })
      const link = fields.find(
        ({ dictType, dictValue }) =>
          dictType === 1 && dictValue?.startsWith(`${parentTag}.`) === true,
      )?.attrName
      return createRows(run, childTag, 'c', numbers, () =>
        link === undefined ? {} : { [link]: [{ id: above.idOf('1'), name: above.called('1') }] },
      )
    }),
  }
}
