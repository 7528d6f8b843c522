import type { Spec } from '@jiaowu/path-tests'
import { createOwnViews, type OwnViews } from './own-views.ts'
import { createRows, type RowSet } from './rows.ts'
import type { Scenes, Stage } from './server-driver.ts'
import { createSubject, type Subject } from './subject.ts'
import type { World } from './world.ts'

/** One concern of a machine against a real server: the model with what that server has, and a fresh stage for each path. */
export interface ServerPart {
  readonly spec: Spec<unknown>
  readonly scenes: Scenes
  stage(): Promise<Stage>
}
export type ServerParts = (fixtures: Fixtures) => Promise<Readonly<Record<string, ServerPart>>>

/** What several machines need there; made when first asked for. Entities are those of the demo data (docs/rules/contract.md#demo-data). */
export interface Fixtures {
  readonly world: World
  registrar(): Promise<Subject>
  admin(): Promise<Subject>
  /** Twelve rows of an entity without parents, for lists and forms. */
  listed(): Promise<RowSet>
  /** One row of the same, for the children. */
  parents(): Promise<RowSet>
  /** Twelve rows of an entity that refers to it. */
  children(): Promise<RowSet>
  /** Two views of the list of `listed`. */
  views(): Promise<OwnViews>
}

const numbers = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'))
export const parentTag = 'EDU_FACULTY',
  childTag = 'EDU_MAJOR'

/** The field of `child` that is chosen from `parent`. */
export function linkTo(child: RowSet, parentTagName: string): string {
  const field = child.config.fields.find(
    ({ dictType, dictValue }) =>
      dictType === 1 && dictValue?.startsWith(`${parentTagName}.`) === true,
  )
  if (field === undefined) throw new Error(`${child.tag} does not refer to ${parentTagName}`)
  return field.attrName
}

export function createFixtures(world: World): Fixtures {
  const known = new Map<string, Promise<unknown>>()
  const once =
    <T>(name: string, make: () => Promise<T>) =>
    (): Promise<T> => {
      const made = known.get(name) ?? make()
      known.set(name, made)
      return made as Promise<T>
    }
  const parents = once('parents', () => createRows(world, parentTag, 'p', ['1']))
  const listed = once('listed', () => createRows(world, parentTag, 'a', numbers))
  return {
    world,
    parents,
    listed,
    registrar: once('registrar', () => createSubject(world, 'registrar')),
    admin: once('admin', () => createSubject(world, 'admin')),
    views: once('views', async () => createOwnViews(world, await listed())),
    children: once('children', async () => {
      const above = await parents(),
        { api } = await world.helper('admin')
      const { fields } = await api.entityData.config({ params: { tag: childTag } })
      const link = fields.find(
        ({ dictType, dictValue }) =>
          dictType === 1 && dictValue?.startsWith(`${parentTag}.`) === true,
      )?.attrName
      return createRows(world, childTag, 'c', numbers, () =>
        link === undefined ? {} : { [link]: [{ id: above.idOf('1'), name: above.called('1') }] },
      )
    }),
  }
}
