import type { BulkAction, BulkJob } from '@jiaowu/api/contract/entity/bulk'
import { bulkEditView } from '@jiaowu/machines/bulk-edit/view'
import { BulkDrawer } from '../../../apps/web/src/features/bulk/bulk-drawer.tsx'
import { replaceSamples } from '../../surfaces/samples.ts'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { wrapData, type Asked } from '../../surfaces/web/http/held-fetch.ts'
import {
  findFirst,
  loadingButtons,
  readAccessibleName,
  page,
} from '../../surfaces/web/dom/by-role.ts'
import { byPage, inTurn, withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { type Host, type Shown, createStepTest, createWebDriver } from '../../surfaces/web/table.ts'
import { listConfig } from '../entity-list/samples.ts'
import type { Spec } from '../spec.ts'
import { bulkEditModels, bulkStarts } from './model.ts'

type View = Shown<typeof bulkEditView>
const at = createStepTest<View>()
const config = {
  ...listConfig('multi'),
  fields: listConfig('multi').fields.map((each) => ({ ...each, isEdit: 1 as const })),
  recycles: true,
}
const status = page.css('.jw-bulk').css('[role=status]')
const stop = page.button(zh('bulk.stop'))
const apply = page.button(/^(修改|删除) [\d,]+ 条$/)
const typed = page.field(zh('bulk.typeLabel'))
const number = (n: number | null) => (n ?? 0).toLocaleString('zh-CN')
const isSubmit = (each: HTMLElement) => each.getAttribute('type') === 'submit'
const isChoosing = ({ step, action }: View) =>
  step === 'choosing' || (step === 'sending' && action === 'update')
const isLooking = at('reviewing', 'confirming', 'applying')
const isOver = at('done', 'failed')
/** The result of each row is known. */
const isKnown = (view: View) => isLooking(view) || (isOver(view) && (view.job?.total ?? 0) > 0)
/** Reads the machine, since a view that mixes up checking and writing would be on both sides. */
const isWriting = ({ s, c }: View) =>
  s.matches({ change: 'following' }) && c.job?.phase === 'writing'
const isAbout = (action: BulkAction) => (view: View) => view.action === action
const hasChosen = ({ set }: View) => Object.keys(set).length
const showsRefused = (view: View) => isKnown(view) && (view.job?.failed ?? 0) > 0
const showsChoice = (view: View) => isLooking(view) && view.job?.changed !== 0
const showsScope = ({ c, step }: View) => c.input.job === undefined && step !== 'done'

export const bulkEditWeb = createWebDriver<typeof bulkEditView>({
  model: bulkEditModels,
  adapt: adaptBulkSpec,
  view: bulkEditView,
  readings: {
    station: page.css('[aria-current=step]').text.is(findBulkStation),
    fields: page
      .css('li')
      .field()
      .each((each) => `${readAccessibleName(each)}=${each.value}`)
      .while(isChoosing, ({ set }) =>
        Object.entries(set).map(([name, to]) => `${name}=${String(to ?? '')}`),
      ),
    alerts: page.css('p[role=alert]').texts.is((view) => {
      const { problem, set } = view
      const [issue] = problem?.issues ?? []
      if (isChoosing(view) && 'name' in set && issue !== undefined) return issue.msg
      return isChoosing(view) || isLooking(view) ? sentence(problem?.message) : ''
    }),
    messages: status.css('p').texts.is(listBulkMessages),
    counts: page.css('dl > div').texts.is(listBulkCounts),
    rows: page.css('tbody tr,section > ul > li').texts.is((view) => {
      const { refused = [], rows = [], action } = view.job ?? {}
      return [
        ...(isKnown(view) ? refused : []).map(({ name }) => `${name}name: 被他人修改过`),
        ...(isLooking(view) ? rows : []).map(({ name }) =>
          action === 'delete' ? name : `${name}name旧新`,
        ),
      ]
    }),
    choice: page.choice().ticked.value.while(showsChoice, ({ onError }) => onError),
    typed: typed.value.while(at('confirming'), (view) => view.typed),
    loading: loadingButtons.texts.is((view) => [
      view.step === 'sending' && isChoosing(view) && zh('bulk.preview'),
      view.saving === 'all' && isOver(view) && isKnown(view) && zh('bulk.saveAll'),
      view.saving === 'refused' && showsRefused(view) && zh('bulk.saveRefused'),
      view.step === 'applying' &&
        (view.job?.changed === 1
          ? zh(`bulk.applyOne.${view.action}`, { name: view.job.rows[0]?.name ?? '' })
          : zh(`bulk.apply.${view.action}`, { n: number(view.job?.changed ?? 0) })),
    ]),
  },
  says: {
    'bulk.title.update': (view) => isAbout('update')(view) && { name: '甲' },
    'bulk.title.delete': (view) => isAbout('delete')(view) && { name: '甲' },
    'bulk.scope.ids': (view) =>
      showsScope(view) && view.c.input.selection.ids !== undefined && { n: 2 },
    'bulk.scope.filterOf': (view) =>
      showsScope(view) && view.c.input.selection.ids === undefined && { n: 2, filter: 'name x' },
    'bulk.noField': (view) => isChoosing(view) && hasChosen(view) === 0,
    'bulk.blank': (view) => isChoosing(view) && hasChosen(view) > 0,
    'bulk.addField': (view) => isChoosing(view) && hasChosen(view) < 2,
    'bulk.setTo': (view) =>
      isLooking(view) && view.job?.action === 'update' && { label: 'name', text: '新' },
    'bulk.nothing': (view) => isLooking(view) && view.job?.changed === 0,
    'bulk.bin': (view) => showsChoice(view) && isAbout('delete')(view),
    'bulk.onError.skip': showsChoice,
    'bulk.onError.abort': showsChoice,
    'bulk.refused': showsRefused,
    'bulk.saveRefused': showsRefused,
    'bulk.firstRows': (view) => isAbout('update')(view) && rowCount(view),
    'bulk.firstDoomed': (view) => isAbout('delete')(view) && rowCount(view),
    'bulk.type': (view) => view.step === 'confirming' && changedCount(view),
    'bulk.apply.update': (view) => isAbout('update')(view) && changedCount(view),
    'bulk.apply.delete': (view) => isAbout('delete')(view) && changedCount(view),
    'bulk.running.update': (view) => isWriting(view) && view.action === 'update',
    'bulk.running.delete': (view) => isWriting(view) && view.action === 'delete',
    'bulk.cancelling': at('cancelling'),
    'bulk.opening': at('opening'),
    'bulk.looking': ({ step, action }) =>
      step === 'checking' || (step === 'sending' && action === 'delete'),
    'bulk.done': (view) => endedAs(view, 'done') && view.job?.failed === 0,
    'bulk.doneInPart': (view) => endedAs(view, 'done') && view.job?.failed !== 0,
    'bulk.cancelled': (view) => endedAs(view, 'cancelled'),
    'bulk.failed': (view) => isOver(view) && !endedAs(view, 'done') && !endedAs(view, 'cancelled'),
  },
  gestures: {
    'field.add': ({ attrName }) =>
      page
        .select(zh('bulk.addField'))
        .where(({ options }) => [...options].some(({ value }) => value === attrName))
        .fill(attrName),
    // The button and the field stay usable while the preview is requested; then they do nothing.
    'field.remove': ({ attrName }) =>
      withoutOffer(page.button(zh('bulk.removeField', { label: attrName })).press),
    'value.change': ({ attrName, value }) =>
      withoutOffer(page.field(attrName).fill(String(value ?? ''))),
    'preview.start': page.button(zh('bulk.preview')).press,
    'preview.back': findFirst(
      page.button(zh('bulk.again.update')),
      page.button(zh('bulk.again.delete')),
    ).press,
    'onError.change': ({ onError }) =>
      page.choice(zh(`bulk.onError.${onError}`)).where(({ checked }) => !checked).press,
    'apply.start': apply.where((each) => !isSubmit(each)).press,
    'count.type': ({ text }) => typed.fill(text),
    'apply.confirm': apply.where(isSubmit).press,
    'apply.cancel': page.css('form').button(zh('common.cancel')).press,
    // While rows are written a question comes first.
    'job.cancel': byPage(() =>
      stop.isShown()
        ? inTurn(stop.press, page.question.button(zh('bulk.stop')).press)
        : page.button(zh('common.cancel')).provided(status.isShown).press,
    ),
    'bulk.retry': page.button(zh('common.retry')).press,
    'result.save': ({ only }) =>
      page.button(zh(only === 'all' ? 'bulk.saveAll' : 'bulk.saveRefused')).press,
  },
  // A field that is not chosen, a choice that is made already.
  hidden: {
    'field.add': ({ set }, { attrName }) => attrName in set,
    'field.remove': ({ set }, { attrName }) => !(attrName in set),
    'value.change': ({ set }, { attrName, value }) => !(attrName in set) || set[attrName] === value,
    'preview.back': ({ step, action }) => step === 'reviewing' && action === 'delete',
    'onError.change': ({ job, onError }, chosen) =>
      job?.changed === 0 || chosen.onError === onError,
    'result.save': (view, { only }) =>
      only === 'refused'
        ? !showsRefused(view) || view.job?.total === 0
        : !isOver(view) || !isKnown(view),
  },
  calls: {
    'POST /entity/A/data/bulk/delete': ['startBulk', (asked) => startInput(asked, 'delete')],
    'POST /entity/A/data/bulk/update': ['startBulk', (asked) => startInput(asked, 'update')],
    'POST /bulk/:id/apply': [
      'applyBulk',
      ({ body: { count, onError } }, id) => ({ id, count, onError }),
    ],
    '/bulk/:id/result': ['saveBulk', ({ query: { format, only } }, id) => ({ id, format, only })],
    'POST /bulk/:id/cancel': ['cancelBulk', (_asked, id) => ({ id })],
    'GET /bulk/:id': ['readBulk', (_asked, id) => ({ id })],
  },
  toasts: [{ message: { key: 'transfer.saved' }, tone: 'success' }],
  host: createBulkHost,
})

/** The drawer saves results as workbooks. */
function adaptBulkSpec({ events }: Spec<unknown>): Partial<Spec<unknown>> {
  const refused = { format: 'xlsx', only: 'refused' }
  return {
    events: replaceSamples(events, {
      'result.save': { refused, all: { ...refused, only: 'all' } },
    }),
  }
}

function findBulkStation(view: View): string {
  const stations = ['choose', 'look', 'run', 'done'] as const
  const station = isChoosing(view)
    ? 'choose'
    : isOver(view)
      ? 'done'
      : at('running', 'cancelling')(view)
        ? 'run'
        : 'look'
  const first = view.action === 'delete' ? 1 : 0
  return `${stations.slice(first).indexOf(station) + 1}${zh(`bulk.step.${station}`)}`
}

function listBulkMessages(view: View) {
  const { step, job, problem, lost } = view
  if (isOver(view))
    return [problem === null ? step !== 'done' && job?.message : sentence(problem.message)]
  if (isChoosing(view) || isLooking(view)) return []
  return [
    job !== null &&
      at('checking', 'running')(view) &&
      `${zh('bulk.far', { done: job.done, total: job.total })}${Math.floor((job.done / job.total) * 100)}%`,
    lost ? zh('bulk.lost') : isWriting(view) && zh('bulk.closeHint'),
  ]
}

function listBulkCounts(view: View) {
  const { job } = view
  if (job === null || !(isKnown(view) || isWriting(view))) return []
  const { action, changed, updated, skipped, failed } = job
  return [
    isLooking(view)
      ? `${zh(`bulk.count.changed.${action}`)}${number(changed)}`
      : `${zh(`bulk.count.updated.${action}`)}${number(updated)}`,
    action === 'update' && `${zh('bulk.count.skipped')}${number(skipped)}`,
    `${zh('bulk.count.failed')}${number(failed)}`,
  ]
}

function rowCount(view: View) {
  const { rows = [] } = view.job ?? {}
  return isLooking(view) && rows.length > 0 && { n: rows.length }
}

function changedCount(view: View) {
  return isLooking(view) && { n: number(view.job?.changed ?? 0) }
}

function endedAs(view: View, status: BulkJob['status']): boolean {
  return isOver(view) && view.job?.status === status
}

function startInput({ body: { set = {}, ids, queries, except } }: Asked, action: BulkAction) {
  return { tag: 'A', action, selection: ids === undefined ? { queries, except } : { ids }, set }
}

function createBulkHost(): Host {
  // The job that the last reply told of, null when something else happened since.
  let answer: BulkJob | null = null
  return {
    show: (start) => {
      const { action, selection, ...more } = bulkStarts[start as keyof typeof bulkStarts]()
      return (
        <BulkDrawer
          config={config}
          action={action}
          selection={selection}
          count={2}
          job={'job' in more ? more.job : null}
          onClose={() => {}}
          onChanged={() => {}}
        />
      )
    },
    // The drawer stores the job under way for a reload.
    stored: [
      'JIAOWU_BULK_A',
      (entry) =>
        entry !== null || answer === null
          ? { type: 'job', id: entry?.split(' ')[1] ?? null }
          : { type: 'finished', job: answer },
    ],
    background: () => wrapData([]),
    files: ['saveBulk'],
    reply: (_port, { output }) => {
      answer = output as BulkJob
      return wrapData(output)
    },
    end: () => {
      answer = null
      return false
    },
    before: () => {
      answer = null
    },
  }
}
