import { transferView } from '@jiaowu/machines/transfer/view'
import { sentence, under, zh } from '../../surfaces/sentences.ts'
import {
  findFirst,
  loadingButtons,
  readAccessibleName,
  page,
  type Target,
} from '../../surfaces/web/dom/by-role.ts'
import { readText, usable } from '../../surfaces/web/dom/dom.ts'
import { byPage, custom, type Gesture, inTurn, offeredAs } from '../../surfaces/web/dom/gestures.ts'
import { createRead } from '../../surfaces/web/dom/reads.ts'
import type { Asked } from '../../surfaces/web/http/held-fetch.ts'
import { createWebDriver } from '../../surfaces/web/table.ts'
import { transferModels } from './model.ts'
import { hugeFile, sheetFile } from './samples.ts'
import { far, createTransferHost, status } from './web-host.tsx'
import * as expected from './web-model.ts'
import {
  exporting,
  isEdited,
  isEnd,
  isReview,
  markControl,
  names,
  on,
  type View,
} from './web-model.ts'
import { readAs, readingShown } from './web-reading.ts'

const history = page.region(zh('import.history'))
const file = page.css<HTMLInputElement>('input[type=file]')
const isSheetShown = page.button(zh('export.start')).isShown
const isReceiving = () => status.css('h3').text() === zh('export.running')
const isOutsideQuestion = (each: HTMLElement) => each.closest('[role=alertdialog]') === null
const isOutsidePanel = (each: HTMLElement) => each.closest('td, .jw-tr__file-panel') === null
const cancel = page.button(zh('common.cancel')).where(isOutsideQuestion)
const stop = page.button(zh('import.stop'))
const giveUp = page.button(zh('import.giveUp'))
const skipWrong = page.button(zh('import.skipWrong'))
/** The cards of the modes, not the rows of the preview. */
const cards = page.choice().where(isOutsidePanel)
const sheetLine = page.css('.jw-tr__sheet')
/** A finished check runs no more: the button that discards then starts anew instead of cancelling. */
const isFinishedCheck = () => sheetLine.text().startsWith('looked')
const rowsArea = page.css('div').where(({ className }) => className === 'jw-tr__rows')
const isChoice = (row: HTMLElement) => row.querySelector('select, input[type=radio]') !== null
const readSelectValue = (each: HTMLSelectElement) => markControl(each.value, false, !usable(each))
const isSheet = exporting('choosing')
const fixedField = page.region(zh('import.fixed')).field(zh('import.required', { label: '院' }))

export const transferWeb = createWebDriver<typeof transferView>({
  model: transferModels,
  adapt: expected.adaptWebTransfer,
  view: transferView,
  readings: {
    drawer: page
      .heading(/^导[入出]甲/)
      .text.is(({ kind }: View) => zh(`${kind}.title`, { name: '甲' })),
    station: page.css('[aria-current=step]').text.is(expected.findTransferStation),
    file: page.role('group', zh('import.file')).text.while(on('choosing'), expected.formatFileCard),
    alerts: page.css('p[role=alert]').texts.is(expected.formatAlerts),
    title: status.css('h3,.jw-tr__wait > span').texts.is(expected.formatTransferTitle),
    progress: far.texts.is(expected.formatProgress),
    history: history
      .css('li')
      .texts.is((view: View) => expected.jobsShown(view).map(expected.jobText)),
    historyState: busyAndPage(history).while(
      on('choosing'),
      ({ history: { state, pageNum, pageCount } }) => {
        const isTurned = state !== 'failed' && pageCount > 1
        return [state === 'loading', isTurned ? `${pageNum} / ${pageCount}` : ''].join()
      },
    ),
    cards: cards
      .each((each) => markControl(readAccessibleName(each), each.checked, each.disabled))
      .is(expected.formatModeCards),
    choices: page
      .select()
      .where(isOutsidePanel)
      .each(readSelectValue)
      .is(expected.formatImportChoices),
    options: page.css('label option').texts.is(expected.formatKeyOptions),
    words: page
      .css('.jw-tr__words > p:not([role]),.jw-tr__words > div > span:first-child')
      .texts.while(isReview, expected.listReviewWords),
    tabs: page.css('div[role=tab]').texts.while(isReview, expected.listReviewTabs),
    verdicts: page
      .css('button[role=tab]')
      .each((each) =>
        markControl(readText(each), each.getAttribute('aria-selected') === 'true', !usable(each)),
      )
      .while((view: View) => isReview(view) && !expected.isMapping(view), expected.listVerdictTabs),
    rows: page
      .css('tbody tr')
      .where((row) => !isChoice(row))
      .texts.while(expected.showsRows, expected.listReviewRows),
    rowsState: busyAndPage(rowsArea).while(
      (view: View) => view.c.rows !== null && expected.showsRows(view),
      ({ review }) => {
        const { state, pageNum, pageCount } = review?.rows ?? {}
        return `${state === 'loading'},${pageNum} / ${pageCount}`
      },
    ),
    rowsProblem: page
      .css('.jw-state h4')
      .text.while(expected.rowsFailed, ({ problem }) => sentence(problem?.message)),
    mapping: page
      .css<HTMLSelectElement>('td select')
      .each(readSelectValue)
      .while(isReview, expected.formatMapping),
    fixed: fixedField.value.while(
      (view: View) =>
        isReview(view) && (view.review?.fixed ?? []).some(({ attrName }) => attrName === 'a'),
      ({ c: { fixed } }) => String(fixed['a'] ?? ''),
    ),
    mappingRows: page
      .css('tbody tr')
      .where((row) => row.querySelector('select') !== null)
      .texts.while(isReview, expected.listMappingRows),
    counts: page.css('dl > div').texts.while(
      (view: View) => on('running')(view) || isEnd(view),
      ({ job }) =>
        (['inserted', 'updated', 'skipped', 'failed'] as const).map(
          (name) => job !== null && zh(`import.count.${name}`) + job[name],
        ),
    ),
    sheetLine: sheetLine.text.is(expected.formatSheetLine),
    reading: readingShown.while(isReview, expected.formatReadingPanel),
    loading: loadingButtons.texts.is(expected.listLoadingTexts),
    canSkip: createRead<boolean>(() => skipWrong.all().some(usable)).is(
      (view: View) =>
        on('reviewing')(view) &&
        (view.job?.review.wrong ?? 0) > 0 &&
        !isEdited(view) &&
        view.job?.onError === 'abort',
    ),
    columns: page
      .css('li')
      .checkbox()
      .ticked.names.while(isSheet, ({ sheet }) => sheet.columns ?? names),
  },
  says: {
    ...under('import', on('choosing'), 'template', 'templateHint', 'checkFirst', 'history'),
    ...under('import', expected.showsChoices, 'mode', 'onError'),
    ...under('import', expected.showsKey, 'key', 'empty'),
    'import.historyFailed': (view) => on('choosing')(view) && view.history.state === 'failed',
    'import.noHistory': (view) =>
      on('choosing')(view) && view.history.state === 'shown' && view.history.jobs.length === 0,
    'import.sheets': (view) => isReview(view) && (view.review?.file.sheets ?? []).length > 0,
    ...under('import.col', isReview, 'header', 'samples', 'field'),
    'import.edited': (view) => isReview(view) && isEdited(view),
    'import.confirmOwn': on('confirming'),
    'import.check': expected.needsCheck,
    'import.run': (view) =>
      isReview(view) &&
      view.job !== null &&
      !expected.needsCheck(view) && { n: view.job.review.fresh + view.job.review.changed },
    ...under('export', isSheet, 'format', 'scope'),
    // In the table of columns the same word is a heading.
    'export.columns': (view) => isSheet(view) || isReview(view),
    'export.filtered': (view) => isSheet(view) && { total: expected.sheetRows, filter: 'a x' },
    'export.columnsChosen': (view) =>
      isSheet(view) && { n: (view.sheet.columns ?? names).length, all: names.length },
  },
  gestures: {
    'file.choose': (event) =>
      custom(
        () => {
          const given = createSizedFile(event.file.name === hugeFile.name ? hugeFile : sheetFile)
          Object.defineProperty(file.needed, 'files', { value: [given], configurable: true })
          file.needed.dispatchEvent(new Event('change', { bubbles: true }))
        },
        () => file.all().some(usable),
      ),
    'file.drop': page.button(`${zh('common.delete')} ${sheetFile.name}`).press,
    'choices.change': ({ choices: { mode, key, onError, empty } }) => {
      if (mode !== undefined) return changeMode(mode)
      if (onError === 'skip') return skipRows()
      if (onError !== undefined) return page.select(zh('import.onError')).fill(onError)
      return key === undefined
        ? page.select(zh('import.empty')).fill(empty ?? '')
        : page.select(zh('import.key')).fill(key ?? '')
    },
    'upload.start': page.button(zh('import.start')).press,
    'upload.progress': ({ sent }) => custom((held) => held.sent('upload', sent)),
    'history.page': ({ pageNum }) => turn(pageNum, history),
    'job.open': history.css('li').button().nth(0).press,
    'column.assign': ({ assignment: { attrName } }) =>
      page.select(`${zh('import.col.field')} 名字`).fill(attrName ?? ''),
    'fixed.set': ({ value }) => fixedField.fill(String(value ?? '')),
    'mapping.reset': page.button(zh('import.undo')).press,
    'job.check': page.button(zh('import.check')).press,
    'reading.change': ({ reading }) => readAs(reading),
    'cell.mend': ({ mend: { value } }) =>
      page.button(zh('import.mendTo', { value: String(value) })).nth(0).press,
    'rows.show': ({ verdict }) =>
      page.role('tab', new RegExp(`^\\d+${zh(`import.verdict.${verdict}`)}$`)).press,
    'rows.page': ({ pageNum }) => turn(pageNum, rowsArea),
    'job.run': page.button(/^写入 \d+ 行$/).where(isOutsideQuestion).press,
    'run.confirm': page.question.button(/^写入 \d+ 行$/).press,
    'run.cancel': page.question.button(zh('common.cancel')).press,
    'job.resume': page.button(zh('import.resume')).press,
    // While rows are written a question comes first.
    'job.cancel': byPage(() =>
      stop.isShown()
        ? inTurn(stop.press, page.question.button(zh('import.stop')).press)
        : findFirst(
            cancel.provided(() => !isSheetShown() && !isReceiving()),
            giveUp.provided(() => !isFinishedCheck()),
          ).press,
    ),
    'transfer.retry': page.button(zh('common.retry')).press,
    'transfer.restart': findFirst(
      page.button(zh('import.again')),
      page.button(zh('common.back')),
      page.button(zh('export.again')),
      giveUp.provided(isFinishedCheck),
    ).press,
    'template.save': page.button(zh('import.template')).press,
    'result.save': ({ only }) =>
      page.button(zh(only === 'all' ? 'import.saveAll' : 'import.saveWrong')).press,
    'sheet.change': ({ format, columns }) =>
      format === undefined
        ? page.button(zh(columns?.length === 0 ? 'export.selectNone' : 'export.selectAll')).press
        : page.choice(new RegExp(`^${format}`)).press,
    'export.start': page.button(zh('export.start')).press,
    // Where those bytes have arrived already, no more arrive.
    'export.progress': ({ bytes, rows }) =>
      custom((held) => {
        const hasArrived = readText(far.needed).includes(`${bytes / 1024} KB`)
        held.send('exportSheet', hasArrived ? 0 : bytes, { 'x-rows': String(rows) })
      }),
    'export.cancel': cancel.provided(isReceiving).press,
  },
  hidden: expected.hidden,
  calls: {
    '/job': ['recall', ({ query }) => ({ tag: query.tag, ...readPageNumbers(query) })],
    '/entity/A/data/import-mapping': { partOf: 'recall' },
    '/entity/A/data/import': ['upload', expected.uploadInput],
    '/entity/A/data/export-template': ['saveFile', () => ({ what: 'template', tag: 'A' })],
    '/entity/A/data/export': [
      'exportSheet',
      ({ body: { queries, sorts, format, columns = null } }) => ({
        query: { queries, sorts },
        format,
        columns,
        tag: 'A',
      }),
    ],
    '/job/:id/resume': [
      'resumeJob',
      (
        { body: { mapping = null, fixed = null, reading = null, pauseAt = null, ...others } },
        id,
      ) => {
        const { confirm = false, ...choices } = others
        return { id, choices, mapping, fixed, reading, mend: null, pauseAt, confirm }
      },
    ],
    '/job/:id/cells': ['resumeJob', expected.mendInput],
    '/job/:id/cancel': ['cancelJob', (_asked, id) => ({ id })],
    '/job/:id/rows': [
      'loadRows',
      ({ query }, id) => ({ id, verdict: query.verdict, ...readPageNumbers(query) }),
    ],
    '/job/:id/result': [
      'saveFile',
      ({ query: { format, only } }, id) => ({ what: 'result', id, format, only }),
    ],
    'GET /job/:id': ['readJob', (_asked, id) => ({ id })],
  },
  toasts: [{ message: { key: 'transfer.saved' }, tone: 'success' }],
  host: createTransferHost,
})

/** Whether a list waits for its rows, and which of its pages it shows. */
function busyAndPage(list: Target) {
  const pages = list.css('span').where((each) => /^\d+ \/ \d+$/.test(readText(each)))
  return list.each((each) => [each.getAttribute('aria-busy') === 'true', pages.text()])
}

/** By a card before the upload, by a list under review. */
function changeMode(mode: string): Gesture {
  const card = page.choice(new RegExp(`^${zh(`import.mode.${mode}` as 'import.mode.insert')}`))
  const list = page.select(zh('import.mode'))
  return byPage(() => (cards.isShown() ? card.press : list.fill(mode)))
}

/** By the button beside the warning where there is one. */
function skipRows(): Gesture {
  const list = page.select(zh('import.onError')).fill('skip')
  return offeredAs(
    byPage(() => (skipWrong.isShown() ? skipWrong.press : list)),
    list,
  )
}

function turn(pageNum: number, list: Target): Gesture {
  return list.button(zh(pageNum === 1 ? 'pdf.previous' : 'pdf.next')).press
}

function readPageNumbers({ pageNum, pageSize }: Asked['query']) {
  return { pageNum: Number(pageNum), pageSize: Number(pageSize) }
}

/** A large file only claims its size. */
function createSizedFile({ name, size }: typeof sheetFile): File {
  const made = new File(['x'.repeat(Math.min(size, 1000))], name)
  if (size > made.size) Object.defineProperty(made, 'size', { value: size })
  return made
}
