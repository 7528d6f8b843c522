import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import type { SavedEntity } from '@jiaowu/api/contract/design'
import type { TableColumn } from '@jiaowu/api/entity/definition/table'
import type { DesignerContext } from '@jiaowu/machines/designer/types'
import type { DesignerPorts } from '@jiaowu/machines/designer/ports'
import type { AnyMachineSnapshot } from 'xstate'
import { designPorts } from '../../../apps/web/src/ports/designer-ports.ts'
import { must, expectSame, expectUnchanged } from '../../surfaces/server/checks.ts'
import {
  answers,
  type CallOf,
  refuseEndedSession,
  forbidden,
  prepareEndings,
  refuses,
  stale,
} from '../../surfaces/server/endings.ts'
import { type ServerParts, buildServerParts } from '../../surfaces/server/server-part.ts'
import { designerModels } from './model.ts'
import { createDefinition, type OwnDefinition } from './server-definition.ts'

/**
 * A definition is loaded, checked and saved; another user saves it meanwhile; it is deleted; the
 * caller has no right to it.
 */
export const serverDesigner: ServerParts = async ({ run, admin }) => {
  const subject = await admin(),
    own = await createDefinition(run)
  const columns = await own.api.design.columns({ params: { name: own.first.tableName } })
  const mine = `${run.prefix}mine`
  return buildServerParts({
    model: designerModels,
    ports: designPorts(subject.api),
    subject,
    calls: {
      loadDesign: loadDesign(own, columns),
      checkDesign: checkDesign(own),
      saveDesign: saveDesign(own),
    },
    samples: {
      'draft.edit': { name: { edit: { type: 'entity.set', patch: { name: mine } } } },
      'design.save': { default: {} },
      'stale.choose': {
        theirs: { part: 'name', side: 'theirs' },
        mine: { part: 'name', side: 'mine' },
      },
    },
    before: () => own.restore(),
    key: (s) => buildSavedDesignKey(own, mine, s),
    start: () => ({ target: { tag: own.tag } }),
    ends: 'loadDesign(loaded), checkDesign(good), saveDesign(saved)',
    parts: {
      loading: { events, ends: 'loadDesign(loaded, gone, forbidden)' },
      checking: { events, ends: 'checkDesign(good, wrong, ended)' },
      breaking: { events, ends: 'checkDesign(good, breaking, both)' },
      saving: { events, ends: 'saveDesign(saved, stale, invalid, forbidden)' },
    },
  })
}

const events = `draft.edit, design.save, design.retry, design.leave, leave.confirm, leave.cancel,
  impact.accept, impact.cancel, stale.choose, stale.save, stale.cancel`
type Call<Name extends keyof DesignerPorts> = CallOf<DesignerPorts, Name>
type Saving = Parameters<DesignerPorts['saveDesign']>[0]

function loadDesign(own: OwnDefinition, columns: readonly TableColumn[]): Call<'loadDesign'> {
  const { first } = own,
    namesOf = (list: readonly TableColumn[]) => list.map(({ columnName }) => columnName)
  return {
    loaded: answers({ stored: first, draft: withoutStoredKeys(first), columns }, async () => {
      await own.ensure()
      return {
        check: async (answer) => [
          expectSame('definition', await own.load(), answer.stored),
          expectSame('columns', namesOf(columns), namesOf(answer.columns)),
        ],
      }
    }),
    gone: refuses(404, async () => {
      await own.remove()
      return { undo: () => own.again() }
    }),
    forbidden: forbidden(),
  }
}

function checkDesign(own: OwnDefinition): Call<'checkDesign'> {
  const good = { findings: [], impact: [], drift: { missing: [], unused: [], changed: [] } },
    wrong = {
      findings: [{ id: 'entity.E015', severity: 'error', path: '', attrName: null, msg: '' }],
    },
    breaking = { impact: [{ kind: 'button', object: own.leaning, breaks: true, msg: '' }] }
  /** Sends a draft whose check must find an error, and that it breaks the other entity. */
  const finds = (
    sample: object,
    change: (draft: EntityDefinition) => EntityDefinition,
    expected: { readonly error: boolean; readonly breaks: boolean },
  ): Call<'checkDesign'>[string] =>
    answers({ ...good, ...sample }, ({ draft }) => ({
      input: { draft: change(draft) },
      check: ({ findings, impact }) => {
        const errors = findings.filter(({ severity }) => severity === 'error')
        const isNamed = impact.some(
          ({ breaks, kind, object, msg }) =>
            breaks && kind === 'button' && object === own.leaning && msg !== '',
        )
        return [
          expected.error
            ? must(errors.length > 0, 'fields without a name are no fault')
            : errors.map(({ msg }) => `a fault in a definition without one: ${msg}`),
          must(!expected.breaks || isNamed, 'nobody says that a button of another entity breaks'),
        ]
      },
    }))
  const without = (draft: EntityDefinition) => ({
    ...draft,
    fields: draft.fields.filter(({ attrName }) => attrName !== own.field),
  })
  return {
    good: finds({}, (draft) => draft, { error: false, breaks: false }),
    wrong: finds(wrong, removeFieldLabels, { error: true, breaks: false }),
    breaking: finds(breaking, without, { error: false, breaks: true }),
    both: finds({ ...wrong, ...breaking }, (draft) => removeFieldLabels(without(draft)), {
      error: true,
      breaks: true,
    }),
    ended: refuseEndedSession(),
  }
}

function saveDesign(own: OwnDefinition): Call<'saveDesign'> {
  const { first, theirs } = own,
    version = first.version + 1
  const untouched = () =>
    expectUnchanged(
      'version of the definition that was not saved',
      async () => (await own.load()).version,
    )
  const outdated = new Set<number | null>([null])
  /** Where the path continues as if no other user had saved, the present version is meant. */
  const asNow = async (asked: Saving): Promise<Saving> => {
    await own.ensure()
    return outdated.has(asked.version) ? { ...asked, version: (await own.load()).version } : asked
  }
  return prepareEndings(asNow, {
    saved: answers(
      ({ draft }) => ({ ...first, ...draft, version }),
      async ({ draft }) => {
        const before = (await own.load()).version
        return {
          check: async (saved) => {
            const read = await own.load()
            outdated.add(before)
            return [
              expectSame('name', draft.name, saved.name),
              expectSame('name as others read it', saved.name, read.name),
              must(saved.version > before, `version: ${saved.version} after ${before}`),
              expectSame('version as others read it', saved.version, read.version),
            ]
          },
        }
      },
    ),
    stale: stale({
      what: 'the version that stands',
      sample: ({ draft }) => {
        const name = draft.name === theirs ? `${theirs}2` : theirs
        return { ...first, name, version }
      },
      version: async () => {
        const now = await own.load()
        outdated.add(now.version)
        return now.version
      },
      overtake: async () => {
        const { name } = await own.load()
        return own.rename(name === theirs ? `${theirs}2` : theirs)
      },
      read: () => own.load(),
      compared: (saved) => (saved as SavedEntity | null)?.version,
    }),
    invalid: refuses(42200, async (asked) => ({
      input: { ...asked, draft: removeFieldLabels(asked.draft) },
      check: await untouched(),
    })),
    forbidden: forbidden(async () => ({ check: await untouched() })),
  })
}

/** Fields without a name. */
function removeFieldLabels(draft: EntityDefinition): EntityDefinition {
  return { ...draft, fields: draft.fields.map((field) => ({ ...field, uiLabel: '' })) }
}

function buildSavedDesignKey({ theirs }: OwnDefinition, mine: string, s: AnyMachineSnapshot) {
  const c = s.context as DesignerContext
  const classOf = ({ name }: { readonly name: string }): string =>
    name === mine ? 'mine' : name.startsWith(theirs) ? 'theirs' : 'first'
  return [
    s.value,
    classOf(c.draft),
    c.saved === null ? null : classOf(c.saved),
    c.draft === c.saved,
    c.past.length > 0,
    c.check?.findings.some(({ severity }) => severity === 'error') ?? null,
    c.check?.impact.some(({ breaks }) => breaks) ?? null,
    c.stale?.choices ?? null,
    c.problem?.kind ?? null,
  ]
}
