import {
  type DefinitionCheck,
  definitionOf,
  type EntityDefinition,
  type SavedEntity,
  type TableColumn,
} from '@jiaowu/api'
import type { DesignerContext, DesignData } from '@jiaowu/machines'
import { designPorts } from '../../../apps/web/src/ports/designer-ports.ts'
import type { Outcome } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { designerModels } from './model.ts'
import {
  no,
  ok,
  problemIn,
  refusedAs,
  same,
  type Scene,
  type Scenes,
  type Stage,
} from '../../surfaces/server/server-driver.ts'
import { parentTag, type ServerParts } from '../../surfaces/server/server-part.ts'
import type { Subject } from '../../surfaces/server/subject.ts'
import type { RunContext } from '../../surfaces/server/run-context.ts'

interface Saving {
  readonly draft: EntityDefinition
  readonly version: number | null
  readonly note: string | null
}
const outputOf = <T>(answer: Outcome): T => (answer as { output: T }).output

/**
 * A definition is loaded, checked and saved; another user saves it meanwhile; it is deleted; the
 * caller has no right to it.
 */
export const serverDesigner: ServerParts = async ({ run, admin }) => {
  const subject = await admin(),
    own = await ownDefinition(run)
  const { tag, first } = own
  const mine = `${run.prefix}mine`,
    theirs = `${run.prefix}theirs`
  const columns = await own.api.design.columns({ params: { name: first.tableName } })
  const there = async () => {
    await own.load().catch(() => own.again())
  }
  const scenes = scenesOf({ subject, own, columns, theirs, there })
  const base = Object.values(designerModels.parts)[0] as Spec<unknown>
  const classOf = ({ name }: { readonly name: string }): string =>
    name === mine ? 'mine' : name.startsWith(theirs) ? 'theirs' : 'first'
  const part = (checks: readonly string[], saves: readonly string[], loads: readonly string[]) => {
    const spec: Spec<unknown> = {
      ...base,
      unhandled: [],
      input: () => ({ target: { tag } }),
      events: eventsOf(mine),
      eventsIn: () => ({}),
      outcomes: outcomesOf(own, columns, theirs, { checks, saves, loads }),
      key: (s) => {
        const c = s.context as DesignerContext
        return JSON.stringify([
          s.value,
          classOf(c.draft),
          c.saved === null ? null : classOf(c.saved),
          c.draft === c.saved,
          c.past.length > 0,
          c.check?.findings.some(({ severity }) => severity === 'error') ?? null,
          c.check?.impact.some(({ breaks: isBroken }) => isBroken) ?? null,
          c.stale?.choices ?? null,
          c.problem?.kind ?? null,
        ])
      },
    }
    const stage = async (): Promise<Stage> => {
      await there()
      await own.restore()
      return { ports: designPorts(subject.api) as never, scenes }
    }
    return { spec, scenes, stage }
  }
  return {
    loading: part(['good'], ['saved'], ['loaded', 'gone', 'forbidden']),
    checking: part(['good', 'wrong', 'ended'], ['saved'], ['loaded']),
    breaking: part(['good', 'breaking', 'both'], ['saved'], ['loaded']),
    saving: part(['good'], ['saved', 'stale', 'invalid', 'forbidden'], ['loaded']),
  }
}

interface SceneDependencies {
  readonly subject: Subject
  readonly own: OwnDefinition
  readonly columns: readonly TableColumn[]
  /** The name that another user gives the definition. */
  readonly theirs: string
  /** Creates the definition again when a path has deleted it. */
  readonly there: () => Promise<void>
}

function scenesOf(dependencies: SceneDependencies): Scenes {
  const tools = sceneTools(dependencies)
  return {
    loadDesign: loadDesignScenes(tools),
    checkDesign: checkDesignScenes(tools),
    saveDesign: saveDesignScenes(tools),
  }
}

type SceneTools = ReturnType<typeof sceneTools>

/** What the scenes of several ports share. */
function sceneTools({ subject, own, columns, theirs, there }: SceneDependencies) {
  const outdated = new Set<number>()
  /** Where the path continues as if no other user had saved, uses the present version. */
  const saving = (make: (input: Saving, now: SavedEntity) => Promise<Scene> | Scene) =>
    subject.usual(async (asked: Saving) => {
      await there()
      const now = await own.load()
      const input = {
        ...asked,
        version:
          outdated.has(asked.version ?? 0) || asked.version === null ? now.version : asked.version,
      }
      return { input, ...(await make(input, now)) }
    })
  const unchanged = async () => {
    const before = await own.load()
    return async () =>
      same(
        'version of the definition that was not saved',
        before.version,
        (await own.load()).version,
      )
  }
  const without = (draft: EntityDefinition): EntityDefinition => ({
    ...draft,
    fields: draft.fields.filter(({ attrName }) => attrName !== own.field),
  })
  const breaks = (answer: Outcome) =>
    outputOf<DefinitionCheck>(answer).impact.some(
      (impact) =>
        impact.breaks &&
        impact.kind === 'button' &&
        impact.object === own.leaning &&
        impact.msg !== '',
    )
      ? []
      : ['nobody says that a button of another entity breaks']
  return { subject, own, columns, theirs, there, outdated, saving, unchanged, without, breaks }
}

function broken(draft: EntityDefinition): EntityDefinition {
  return {
    ...draft,
    fields: draft.fields.map((field) => ({ ...field, uiLabel: '' })),
  }
}

function hasErrors(answer: Outcome): boolean {
  return outputOf<DefinitionCheck>(answer).findings.some(({ severity }) => severity === 'error')
}

function loadDesignScenes({ subject, own, columns, there }: SceneTools): Scenes[string] {
  return {
    loaded: subject.usual(async () => {
      await there()
      return {
        check: async (answer) => {
          const { stored, columns: got } = outputOf<DesignData>(answer)
          return [
            ...same('definition', await own.load(), stored),
            ...same(
              'columns',
              columns.map(({ columnName }) => columnName),
              got.map(({ columnName }) => columnName),
            ),
          ]
        },
      }
    }),
    gone: subject.usual(async () => {
      await own.remove()
      return {
        check: async (answer) => {
          await own.again()
          return refusedAs(answer, 'refused', 404)
        },
      }
    }),
    forbidden: subject.forbidden(),
  }
}

function checkDesignScenes({ subject, without, breaks }: SceneTools): Scenes[string] {
  return {
    good: subject.usual(() => ({
      check: (answer) =>
        outputOf<{ findings: readonly { severity: string; msg: string }[] }>(answer)
          .findings.filter(({ severity }) => severity === 'error')
          .map(({ msg }) => `a fault in a definition that was saved: ${msg}`),
    })),
    wrong: subject.usual(({ draft }: { draft: EntityDefinition }) => ({
      input: { draft: broken(draft) },
      check: (answer) => (hasErrors(answer) ? [] : ['fields without a name are no fault']),
    })),
    breaking: subject.usual(({ draft }: { draft: EntityDefinition }) => ({
      input: { draft: without(draft) },
      check: (answer) => [
        ...breaks(answer),
        ...(hasErrors(answer) ? ['a definition without an optional field is wrong'] : []),
      ],
    })),
    both: subject.usual(({ draft }: { draft: EntityDefinition }) => ({
      input: { draft: broken(without(draft)) },
      check: (answer) => [
        ...breaks(answer),
        ...(hasErrors(answer) ? [] : ['fields without a name are no fault']),
      ],
    })),
    ended: subject.ended(),
  }
}

function saveDesignScenes({
  subject,
  own,
  theirs,
  outdated,
  saving,
  unchanged,
}: SceneTools): Scenes[string] {
  return {
    saved: saving((input, now) => ({
      check: async (answer) => {
        const saved = outputOf<SavedEntity>(answer),
          read = await own.load()
        outdated.add(now.version)
        return [
          ...same('name', input.draft.name, saved.name),
          ...same('name as others read it', saved.name, read.name),
          ...(saved.version > now.version
            ? []
            : [`version: ${saved.version} after ${now.version}`]),
          ...same('version as others read it', saved.version, read.version),
        ]
      },
    })),
    stale: saving(async (input, now) => {
      outdated.add(now.version)
      const changed = await own.rename(now.name === theirs ? `${theirs}2` : theirs)
      return {
        input: { ...input, version: now.version },
        check: async (answer) => [
          ...refusedAs(answer, 'refused', 40900),
          ...same(
            'data: the version that stands',
            changed.version,
            (problemIn(answer)?.data as SavedEntity | null)?.version,
          ),
          ...same('the version that stands', changed.version, (await own.load()).version),
        ],
      }
    }),
    invalid: saving(async (input) => {
      const still = await unchanged()
      return {
        input: { ...input, draft: broken(input.draft) },
        check: async (answer) => [...refusedAs(answer, 'invalid', 42200), ...(await still())],
      }
    }),
    forbidden: async (asked: Saving) => {
      const still = await unchanged(),
        scene = await subject.forbidden(still)(asked)
      return scene
    },
  }
}

type OwnDefinition = Awaited<ReturnType<typeof ownDefinition>>

function eventsOf(mine: string): Spec<unknown>['events'] {
  const bare = { bare: {} }
  return {
    'draft.edit': { name: { edit: { type: 'entity.set', patch: { name: mine } } } },
    'design.save': bare,
    'design.retry': bare,
    'design.leave': bare,
    'leave.confirm': bare,
    'leave.cancel': bare,
    'impact.accept': bare,
    'impact.cancel': bare,
    'stale.choose': {
      theirs: { part: 'name', side: 'theirs' },
      mine: { part: 'name', side: 'mine' },
    },
    'stale.save': bare,
    'stale.cancel': bare,
  }
}

interface Chosen {
  readonly checks: readonly string[]
  readonly saves: readonly string[]
  readonly loads: readonly string[]
}

function outcomesOf(
  { first, leaning }: OwnDefinition,
  columns: readonly TableColumn[],
  theirs: string,
  { checks, saves, loads }: Chosen,
): Spec<unknown>['outcomes'] {
  const good = { findings: [], impact: [], drift: { missing: [], unused: [], changed: [] } }
  const impact = [{ kind: 'button', object: leaning, breaks: true, msg: '' }]
  const wrong = {
    ...good,
    findings: [{ id: 'entity.E015', severity: 'error', path: '', attrName: null, msg: '' }],
  }
  return {
    loadDesign: () =>
      only(
        {
          loaded: ok({ stored: first, draft: definitionOf(first), columns }),
          gone: no('refused', 404),
          forbidden: no('refused', 403),
        },
        loads,
      ),
    checkDesign: () =>
      only(
        {
          good: ok(good),
          wrong: ok(wrong),
          breaking: ok({ ...good, impact }),
          both: ok({ ...wrong, impact }),
          ended: no('session', 40000),
        },
        checks,
      ),
    saveDesign: ({ draft }: Saving) =>
      only(
        {
          saved: ok({ ...first, ...draft, version: first.version + 1 }),
          stale: no('refused', 40900, {
            ...first,
            name: draft.name === theirs ? `${theirs}2` : theirs,
            version: first.version + 1,
          }),
          invalid: no('invalid', 42200),
          forbidden: no('refused', 403),
        },
        saves,
      ),
  } as Spec<unknown>['outcomes']
}

function only(all: Readonly<Record<string, Outcome>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

/**
 * A definition of this run over a table of the demo data; it is not in the menu and is deleted at
 * the end.
 */
async function ownDefinition(run: RunContext) {
  const { api } = await run.helper('admin')
  const tag = run.prefix.toUpperCase()
  const table = (await api.design.tables({ query: {} })).find(({ tags }) =>
    tags.includes(parentTag),
  )
  if (table === undefined) throw new Error(`no table of ${parentTag} is offered`)
  const { definition: draft } = await api.design.draft({
    params: { name: table.name },
    query: { tag },
  })
  const first = await api.design.create({ body: { ...draft, menu: false } })
  let { id } = first
  // Another entity has a button that writes a field of this one.
  const field =
    draft.fields.find(
      ({ uiType, valids, attrName }) =>
        uiType === 'input' && valids.required !== true && attrName !== draft.tagField,
    )?.attrName ?? ''
  const leaning = await api.design.create({
    body: {
      ...draft,
      tag: `${tag}D`,
      menu: false,
      buttons: [
        {
          code: 'write',
          name: 'write',
          position: 2,
          eventContent: [
            { do: 'request', tag, method: 'update', id: '{id}', values: { [field]: '1' } },
          ],
        },
      ],
    },
  })
  run.onClose(`the definition ${leaning.tag}`, () =>
    api.design.remove({ params: { id: leaning.id } }),
  )
  run.onClose(`the definition ${tag}`, () => api.design.remove({ params: { id } }))
  const load = () => api.design.load({ params: { tag } })
  return {
    api,
    tag,
    first,
    load,
    field,
    leaning: leaning.tag,
    /** Changes it as another user. */
    rename: async (name: string): Promise<SavedEntity> => {
      const now = await load()
      return api.design.save({
        params: { tag },
        body: { ...definitionOf(now), name, version: now.version },
      })
    },
    restore: async (): Promise<SavedEntity> => {
      const now = await load()
      return now.name === first.name
        ? now
        : api.design.save({
            params: { tag },
            body: { ...definitionOf(first), version: now.version },
          })
    },
    remove: async () => {
      await api.design.remove({ params: { id } })
    },
    again: async () => {
      ;({ id } = await api.design.create({ body: { ...draft, menu: false } }))
    },
  }
}
