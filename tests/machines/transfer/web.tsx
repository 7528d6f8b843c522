import { limits, rowVerdicts } from '@jiaowu/api'
import type { TransferEvent } from '@jiaowu/machines'
import {
  bySelector,
  button,
  byRole,
  choice,
  either,
  having,
  heading,
  nameOf,
  nth,
  question,
  region,
  select,
} from '../../surfaces/web/dom/by-role.ts'
import { textOf, usable } from '../../surfaces/web/dom/dom.ts'
import { custom, fill, type Gesture, need, press } from '../../surfaces/web/dom/gestures.ts'
import type { Asked } from '../../surfaces/web/http/held-fetch.ts'
import { isShown, loadingButtons, text, texts } from '../../surfaces/web/dom/reads.ts'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { webDriverOf } from '../../surfaces/web/table.ts'
import { transferModels } from './model.ts'
import { hugeFile, sheetFile } from './samples.ts'
import { far, host, status } from './web-host.tsx'
import { readAs, readingShown } from './web-reading.ts'
import {
  adapt,
  alertsOf,
  cardsOf,
  hasPreview,
  choiceNames,
  choiceOf,
  hidden,
  is,
  isOn,
  isOver,
  isUnknown,
  jobsShown,
  loadingOf,
  lock,
  mappingOf,
  mendInput,
  mappingRowsOf,
  modes,
  names,
  on,
  optionsOf,
  progressOf,
  readingOf,
  sheetRows,
  uploadInput,
  showsChoices,
  stationOf,
  statusOf,
  titleOf,
  viewOf,
  wordsOf,
  type Snapshot,
  type View,
} from './web-model.ts'

const history = region(zh('import.history'))
const drop = byRole('group', zh('import.file'))
const file = bySelector<HTMLInputElement>('input[type=file]')
const isSheetShown = isShown(button(zh('export.start')))
const isReceiving = () => textOf(bySelector('h3', status).all()[0]) === zh('export.running')
const isOutsideQuestion = (each: HTMLElement) => each.closest('[role=alertdialog]') === null
const cancel = having(button(zh('common.cancel')), isOutsideQuestion)
const stop = button(zh('import.stop'))
const giveUp = button(zh('import.giveUp'))
const retry = button(zh('common.retry'))
const skipWrong = button(zh('import.skipWrong'))
const run = button(/^写入 \d+ 行$/)
/** The cards of the modes, not the rows of the preview. */
const cards = having(choice(), (each) => each.closest('.jw-tr__file-panel') === null)
const bars = having(select(), (each) => each.closest('td, .jw-tr__file-panel') === null)
const mappings = bySelector<HTMLSelectElement>('td select')
const sheetLine = bySelector('.jw-tr__sheet')
/** A finished check runs no more: the button that discards then starts anew instead of cancelling. */
const isFinishedCheck = () => text(sheetLine)().startsWith('looked')
const pagesIn = (scope: ReturnType<typeof bySelector>) =>
  having(bySelector('span', scope), (each) => /^\d+ \/ \d+$/.test(textOf(each)))
const rowsArea = having(bySelector('div'), (each) => each.className === 'jw-tr__rows')
const valueOf = (each: HTMLSelectElement | HTMLInputElement) => each.value + lock(!usable(each))
export const transferWeb = webDriverOf<Snapshot, TransferEvent, View>({
  model: transferModels,
  adapt,
  view: viewOf,
  readings: {
    drawer: {
      model: ({ isExport }) => zh(isExport ? 'export.title' : 'import.title', { name: '甲' }),
      screen: text(heading(/^导[入出]甲/)),
    },
    station: {
      model: (view) => {
        const stations = ['choose', 'check', 'write', 'done'] as const
        const at = stationOf(view)
        return view.isExport ? '' : `${at + 1}${zh(`import.step.${stations[at] ?? 'choose'}`)}`
      },
      screen: text(bySelector('[aria-current=step]')),
    },
    file: {
      model: (view) =>
        !isOn(view, 'choosing')
          ? ''
          : view.c.file === null
            ? `${zh('import.drop')} ${zh('import.choose')}${zh('import.limits', { mb: 20 })}`
            : `${view.c.file.name}${view.c.file.size} B${zh('import.dropFile')}`,
      screen: text(drop),
    },
    alerts: { model: alertsOf, screen: texts(bySelector('p[role=alert]')) },
    title: {
      model: titleOf,
      screen: texts(bySelector('h3,.jw-tr__wait > span', status)),
    },
    progress: { model: progressOf, screen: texts(far) },
    history: {
      model: (view) =>
        jobsShown(view)
          .map((job) =>
            [
              job.fileName,
              job.createTime.slice(0, 16),
              ` · ${zh('import.rows', { done: job.done, total: job.total })}`,
              statusOf(job),
              zh(isOver(job) ? 'import.openJob' : 'import.goOn'),
            ].join(''),
          )
          .join(),
      screen: texts(bySelector('li', history)),
    },
    historyState: {
      model: (view) =>
        isOn(view, 'choosing')
          ? [
              is(view, { choosing: 'recalling' }),
              !is(view, { choosing: 'forgotten' }) &&
              (view.c.recalled?.total ?? 0) > limits.historyPageSize
                ? `${view.c.recallPage} / 2`
                : '',
            ].join()
          : '',
      screen: () =>
        history
          .all()
          .map((each) => [each.getAttribute('aria-busy') === 'true', text(pagesIn(history))()])
          .join(),
    },
    cards: { model: cardsOf, screen: () => cards.all().map(cardText).join() },
    choices: {
      model: (view) => {
        const isLocked = isOn(view, 'choosing') ? isUnknown(view) : view.step !== 'reviewing'
        return choiceNames(view)
          .filter((name) => name !== 'mode' || view.isReview)
          .map((name) => choiceOf(view.c, name) + lock(isLocked))
          .join()
      },
      screen: () => bars.all().map(valueOf).join(),
    },
    options: { model: optionsOf, screen: texts(bySelector('label option')) },
    words: {
      model: wordsOf,
      screen: texts(
        bySelector('.jw-tr__words > p:not([role]),.jw-tr__words > div > span:first-child'),
        '|',
      ),
    },
    tabs: {
      model: (view) =>
        view.isReview
          ? [
              ...(view.job?.phase === 'mapping' ? [] : [zh('import.tab.rows')]),
              zh('import.tab.mapping') + (view.isEdited ? zh('import.by.changed') : ''),
              ...(hasPreview(view) ? [zh('import.tab.file')] : []),
            ].join()
          : '',
      screen: texts(bySelector('div[role=tab]')),
    },
    verdicts: {
      model: ({ c, job, step, isReview }) =>
        isReview && job !== null && job.phase !== 'mapping'
          ? rowVerdicts
              .map(
                (verdict) =>
                  `${job.review[verdict]}${zh(`import.verdict.${verdict}`)}${c.verdict === verdict ? '*' : ''}${lock(step !== 'reviewing')}`,
              )
              .join()
          : '',
      screen: () =>
        bySelector('button[role=tab]')
          .all()
          .map(
            (each) =>
              `${textOf(each)}${each.getAttribute('aria-selected') === 'true' ? '*' : ''}${lock(!usable(each))}`,
          )
          .join(),
    },
    rows: {
      model: ({ c, job, isReview, rowsFailed }) =>
        isReview && job?.phase !== 'mapping' && !rowsFailed
          ? (c.rows?.records ?? [])
              .map((row) =>
                c.verdict === 'wrong'
                  ? row.errors
                      .map(
                        ({ row: n, column, value, msg, suggestions }) =>
                          `${n}${column}${value}${msg}${job?.can.mend === true ? suggestions.join('') : ''}`,
                      )
                      .join()
                  : `${row.row}${row.name}`,
              )
              .join()
          : '',
      screen: texts(
        having(
          bySelector('tbody tr'),
          (each) => each.querySelector('select, input[type=radio]') === null,
        ),
      ),
    },
    rowsState: {
      model: (view) =>
        view.c.rows !== null && view.isReview && view.job?.phase !== 'mapping' && !view.rowsFailed
          ? `${is(view, { reviewing: { rows: 'loading' } })},${view.c.rowsPage} / 2`
          : '',
      screen: () =>
        rowsArea
          .all()
          .map((each) => [each.getAttribute('aria-busy') === 'true', text(pagesIn(rowsArea))()])
          .join(),
    },
    rowsProblem: {
      model: ({ c, rowsFailed }) => (rowsFailed ? sentence(c.problem?.message) : ''),
      screen: text(bySelector('.jw-state h4')),
    },
    mapping: { model: mappingOf, screen: () => mappings.all().map(valueOf).join() },
    mappingRows: {
      model: mappingRowsOf,
      screen: texts(
        having(bySelector('tbody tr'), (each) => each.querySelector('select') !== null),
      ),
    },
    counts: {
      model: (view) =>
        view.job !== null && (isOn(view, 'running') || view.isEnd)
          ? (['inserted', 'updated', 'skipped', 'failed'] as const)
              .map((name) => `${zh(`import.count.${name}`)}${view.job?.[name] ?? 0}`)
              .join()
          : '',
      screen: texts(bySelector('dl > div')),
    },
    sheetLine: {
      model: ({ job, isReview, isEnd }) =>
        job === null || !(isReview || isEnd)
          ? ''
          : job.total === 0
            ? job.fileName
            : zh('import.sheetLine', { file: job.fileName, total: job.total }),
      screen: text(sheetLine),
    },
    reading: { model: readingOf, screen: readingShown },
    loading: { model: loadingOf, screen: texts(loadingButtons) },
    canSkip: {
      model: (view) =>
        isOn(view, 'reviewing') &&
        (view.job?.review.wrong ?? 0) > 0 &&
        !view.isEdited &&
        view.job?.onError === 'abort',
      screen: () => skipWrong.all().some(usable),
    },
    columns: {
      model: ({ c, step }) => (step === 'sheet' ? (c.sheet.columns ?? names).join() : ''),
      screen: () =>
        byRole<HTMLInputElement>('checkbox', undefined, bySelector('li'))
          .all()
          .filter(({ checked }) => checked)
          .map(nameOf)
          .join(),
    },
  },
  says: {
    'import.template': on('choosing'),
    'import.templateHint': on('choosing'),
    'import.checkFirst': on('choosing'),
    'import.mode': showsChoices,
    'import.onError': showsChoices,
    'import.key': (view) => showsChoices(view) && choiceOf(view.c, 'mode') !== 'insert',
    'import.empty': (view) => showsChoices(view) && choiceOf(view.c, 'mode') !== 'insert',
    'import.history': on('choosing'),
    'import.historyFailed': (view) => is(view, { choosing: 'forgotten' }),
    'import.noHistory': (view) =>
      isOn(view, 'choosing') &&
      !is(view, { choosing: 'recalling' }) &&
      !is(view, { choosing: 'forgotten' }) &&
      (view.c.recalled?.jobs ?? []).length === 0,
    'import.col.header': ({ isReview }) => isReview,
    'import.col.samples': ({ isReview }) => isReview,
    'import.col.field': ({ isReview }) => isReview,
    'import.edited': ({ isReview, isEdited }) => isReview && isEdited,
    'import.confirmOwn': on('confirming'),
    'import.check': ({ job, isReview, isEdited }) =>
      isReview && (isEdited || job?.phase === 'mapping'),
    'import.run': ({ job, isReview, isEdited }) =>
      isReview &&
      job !== null &&
      !isEdited &&
      job.phase !== 'mapping' && { n: job.review.fresh + job.review.changed },
    'export.format': ({ step }) => step === 'sheet',
    // In the table of columns the same word is a heading.
    'export.columns': ({ step, isReview }) => step === 'sheet' || isReview,
    'export.scope': ({ step }) => step === 'sheet',
    'export.filtered': ({ step }) => step === 'sheet' && { total: sheetRows, filter: 'a x' },
    'export.columnsChosen': ({ c, step }) =>
      step === 'sheet' && { n: (c.sheet.columns ?? names).length, all: names.length },
  },
  gestures: {
    'file.choose': (event) =>
      custom(
        () => {
          const input = need(file)
          const given = fileOf(event.file.name === hugeFile.name ? hugeFile : sheetFile)
          Object.defineProperty(input, 'files', { value: [given], configurable: true })
          input.dispatchEvent(new Event('change', { bubbles: true }))
        },
        () => file.all().some(usable),
      ),
    'file.drop': press(button(`${zh('common.delete')} ${sheetFile.name}`)),
    'choices.change': ({ choices: { mode, key, onError, empty } }) =>
      mode !== undefined
        ? changeMode(mode)
        : onError === 'skip'
          ? skipRows()
          : onError !== undefined
            ? fill(select(zh('import.onError')), onError)
            : key !== undefined
              ? fill(select(zh('import.key')), key ?? '')
              : fill(select(zh('import.empty')), empty ?? ''),
    'upload.start': press(button(zh('import.start'))),
    'upload.progress': ({ sent }) => custom((held) => held.sent('upload', sent)),
    'history.page': ({ pageNum }) => press(turn(pageNum, history)),
    'job.open': press(nth(button(undefined, bySelector('li', history)), 0)),
    'column.assign': ({ assignment }) =>
      fill(select(`${zh('import.col.field')} 名字`), assignment.attrName ?? ''),
    'mapping.reset': press(button(zh('import.undo'))),
    'job.check': press(button(zh('import.check'))),
    'reading.change': ({ reading }) => readAs(reading),
    'cell.mend': ({ mend }) =>
      press(nth(byRole('button', zh('import.mendTo', { value: String(mend.value) })), 0)),
    'rows.show': ({ verdict }) =>
      press(byRole('tab', new RegExp(`^\\d+${zh(`import.verdict.${verdict}`)}$`))),
    'rows.page': ({ pageNum }) => press(turn(pageNum, rowsArea)),
    'job.run': press(having(run, isOutsideQuestion)),
    'run.confirm': press(button(/^写入 \d+ 行$/, question())),
    'run.cancel': press(button(zh('common.cancel'), question())),
    'job.resume': press(button(zh('import.resume'))),
    'job.cancel': cancelJob(),
    'transfer.retry': press(retry),
    'transfer.restart': press(
      either(
        button(zh('import.again')),
        button(zh('common.back')),
        button(zh('export.again')),
        having(giveUp, isFinishedCheck),
      ),
    ),
    'template.save': press(button(zh('import.template'))),
    'result.save': ({ only }) =>
      press(button(zh(only === 'all' ? 'import.saveAll' : 'import.saveWrong'))),
    'sheet.change': ({ format, columns }) =>
      format === undefined
        ? press(button(zh(columns?.length === 0 ? 'export.selectNone' : 'export.selectAll')))
        : press(choice(new RegExp(`^${format}`))),
    'export.start': press(button(zh('export.start'))),
    // Where those bytes have arrived already, no more arrive.
    'export.progress': ({ bytes, rows }) =>
      custom((held) => {
        const hasArrived = textOf(need(far)).includes(`${bytes / 1024} KB`)
        held.send('exportSheet', hasArrived ? 0 : bytes, { 'x-rows': String(rows) })
      }),
    'export.cancel': press(having(cancel, isReceiving)),
  },
  hidden,
  calls: {
    '/job': ['recall', ({ query: { tag, ...page } }) => ({ tag, ...pageOf(page) })],
    '/entity/A/data/import-mapping': { partOf: 'recall' },
    '/entity/A/data/import': ['upload', uploadInput],
    '/entity/A/data/export-template': ['saveFile', () => ({ what: 'template', tag: 'A' })],
    '/entity/A/data/export': [
      'exportSheet',
      ({ body }) => ({
        query: { queries: body.queries, sorts: body.sorts },
        format: body.format,
        columns: body.columns ?? null,
        tag: 'A',
      }),
    ],
    '/job/:id/resume': [
      'resumeJob',
      ({ body: { mapping = null, reading = null, pauseAt = null, ...others } }, id) => {
        const { confirm = false, ...choices } = others
        return { id, choices, mapping, reading, mend: null, pauseAt, confirm }
      },
    ],
    '/job/:id/cells': ['resumeJob', mendInput],
    '/job/:id/cancel': ['cancelJob', (_asked, id) => ({ id })],
    '/job/:id/rows': [
      'loadRows',
      ({ query: { verdict, ...page } }, id) => ({ id, verdict, ...pageOf(page) }),
    ],
    '/job/:id/result': [
      'saveFile',
      ({ query: { format, only } }, id) => ({ what: 'result', id, format, only }),
    ],
    'GET /job/:id': ['readJob', (_asked, id) => ({ id })],
  },
  host,
})

function cardText(each: HTMLInputElement): string {
  return `${nameOf(each)}${each.checked ? '*' : ''}${lock(each.disabled)}`
}

/** By a card before the upload, by a list under review. */
function changeMode(mode: (typeof modes)[number]): Gesture {
  const card = press(choice(new RegExp(`^${zh(`import.mode.${mode}`)}`)))
  const list = fill(select(zh('import.mode')), mode)
  const now = () => (isShown(cards)() ? card : list)
  return custom(
    (held) => now().run(held),
    () => now().isOffered?.() === true,
  )
}

/** By the button beside the warning where there is one. */
function skipRows(): Gesture {
  const list = fill(select(zh('import.onError')), 'skip')
  return custom(
    (held) => (isShown(skipWrong)() ? press(skipWrong) : list).run(held),
    () => list.isOffered?.() === true,
  )
}

function turn(pageNum: number, scope: ReturnType<typeof bySelector>) {
  return button(zh(pageNum === 1 ? 'pdf.previous' : 'pdf.next'), scope)
}

/** While rows are written a question comes first. */
function cancelJob(): Gesture {
  const target = either(
    stop,
    having(cancel, () => !isSheetShown() && !isReceiving()),
    having(giveUp, () => !isFinishedCheck()),
  )
  return custom(
    (held) => {
      const asks = isShown(stop)()
      press(target).run(held)
      return asks ? () => press(button(zh('import.stop'), question())).run(held) : undefined
    },
    () => press(target).isOffered?.() === true,
  )
}

function pageOf({ pageNum, pageSize }: Asked['query']) {
  return { pageNum: Number(pageNum), pageSize: Number(pageSize) }
}

/** A large file only claims its size. */
function fileOf({ name, size }: typeof sheetFile): File {
  const made = new File(['x'.repeat(Math.min(size, 1000))], name)
  if (size > made.size) Object.defineProperty(made, 'size', { value: size })
  return made
}
