import { all, find, offers, textOf, usable } from '../../surfaces/web/dom.ts'
import { contentsNow } from './web-contents.ts'
import { labelsNow } from './web-labels.ts'

/** What a person sees of an import or export, and (`offers`) what the drawer lets them do. */
export interface TransferScreen {
  readonly at: string
  readonly file: string
  readonly words: string
  readonly far: string
  readonly lost: boolean
  readonly history: string
  readonly choices: string
  readonly said: string
  readonly mapping: string
  readonly isEdited: boolean
  readonly rows: string
  readonly counts: string
  readonly labels: string
  readonly contents: string
  readonly saving: string
  readonly sheet: string
  readonly offers: string
}
const foot = '.jw-tr__foot button'
const review = () => find('.jw-tr__choices') !== undefined && find('.jw-tr__drop') === undefined
const busyWords: Readonly<Record<string, string>> = {
  '正在打开任务…': 'opening',
  '正在取消…': 'cancelling',
  '正在提交…': 'sending',
  正在检查每一行: 'checking',
  '排队等待中…': 'checking',
  正在写入: 'running',
  正在接收: 'receiving',
}

/** Everything in reach. A question stands before the rest. */
export function offersNow(): string {
  if (find('.bp6-alert') !== undefined)
    return [
      ['run.confirm', '写入 35 行'],
      ['run.cancel', '取消'],
    ]
      .filter(([, text]) => offers('.bp6-alert button', text))
      .map(([type]) => type)
      .sort()
      .join()
  const choosing = find('.jw-tr__drop') !== undefined
  const isSheet = find('.jw-tr__columns') !== undefined
  const isReceiving = stepNow() === 'receiving'
  const primary = find(`${foot}.bp6-intent-primary`)
  const footer = (text: string) => offers(foot, text)
  const restarts = footer('再导入一个文件') || footer('返回') || footer('返回选项')
  const givesUp = footer('放弃')
  return [
    ...(choosing ? ['file.choose'] : []),
    ...(choosing && offers('.jw-tr__card input') && offers('.jw-tr__choices select')
      ? ['choices.change']
      : []),
    ...(offers('.jw-tr__file button[aria-label^=删除]') ? ['file.drop'] : []),
    ...(footer('上传并检查') ? ['upload.start'] : []),
    ...(offers('.jw-tr__template button') ? ['template.save'] : []),
    ...(offers('.jw-tr__history li button') ? ['job.open'] : []),
    ...(review() && offers('.jw-tr__choices select') ? ['choices.change'] : []),
    ...(offers('select[aria-label="对应字段 名字"]') ? ['column.assign'] : []),
    ...(footer('撤销修改') ? ['mapping.reset'] : []),
    ...(footer('重新检查') ? ['job.check'] : []),
    ...(review() && usable(primary) && textOf(primary).startsWith('写入') ? ['job.run'] : []),
    ...(offers('.jw-tr__verdict') ? ['rows.show'] : []),
    ...(offers('.jw-tr button', '下载错误的行') ? ['result.save(wrong)'] : []),
    ...(offers('.jw-tr button', '下载结果表') ? ['result.save(all)'] : []),
    ...(footer('继续') ? ['job.resume'] : []),
    ...(offers('.jw-tr button', '跳过错误的行') ? ['skip'] : []),
    ...(footer('停止') || (footer('取消') && !isSheet && !isReceiving) || (givesUp && !looked())
      ? ['job.cancel']
      : []),
    ...(restarts || (givesUp && looked()) ? ['transfer.restart'] : []),
    ...(offers('.jw-tr button', '重试') ? ['transfer.retry'] : []),
    ...(isSheet ? ['sheet.change'] : []),
    ...(footer('开始导出') ? ['export.start'] : []),
    ...(isReceiving && footer('取消') ? ['export.cancel'] : []),
    ...pagesNow('history.page', '.jw-tr__history'),
    ...pagesNow('rows.page', '.jw-tr__rows'),
  ]
    .sort()
    .join()
}

function stepNow(): string {
  if (find('.jw-tr__columns') !== undefined) return 'sheet'
  if (find('.jw-tr__drop') !== undefined) return 'choosing'
  if (review())
    return find('.bp6-alert') !== undefined
      ? 'confirming'
      : find('.jw-tr__choices select')?.matches(':disabled') === true
        ? 'sending'
        : 'reviewing'
  const end = find('.jw-tr__end')
  if (end !== undefined)
    return (
      ['done', 'failed', 'paused', 'unopened'].find((name) =>
        end.classList.contains(`is-${name}`),
      ) ?? '?'
    )
  const head = textOf(find('.jw-tr__progress h3') ?? find('.jw-tr__wait span'))
  return head.startsWith('正在上传') ? 'uploading' : (busyWords[head] ?? `?${head}`)
}

function pagesNow(type: string, place: string): string[] {
  const [now = 1] = textOf(find(`${place} .jw-tr__pages > span`))
    .split(' / ')
    .map(Number)
  return [['上一页', now - 1] as const, ['下一页', now + 1] as const]
    .filter(([label]) => offers(`${place} button[aria-label=${label}]`))
    .map(([, pageNum]) => `${type}(${pageNum})`)
}

/** A finished check is let go of, not cancelled: nothing of it runs any more. */
const looked = () => review() && textOf(find('.jw-tr__sheet')).startsWith('looked')

export function readTransfer(offered: () => string): TransferScreen {
  return {
    at: stepNow(),
    file: textOf(find('.jw-tr__file .jw-tr__name')),
    words: wordsNow(),
    far:
      textOf(find('.jw-tr__far')) ||
      (stepNow() === 'done' && find('.jw-tr--narrow') !== undefined
        ? textOf(find('.jw-tr__end p'))
        : ''),
    lost: find('.jw-tr__lost') !== undefined,
    history: historyNow(),
    choices: choicesNow(),
    said: saidNow(),
    labels: labelsNow(),
    contents: contentsNow(),
    mapping: review()
      ? all<HTMLSelectElement>('.jw-tr__mapping select[aria-label^=对应字段]')
          .map(({ value }) => value)
          .join()
      : '',
    isEdited: find('.jw-tr__mark') !== undefined,
    rows: rowsNow(),
    counts: all('.jw-tr__counts dd').map(textOf).join(),
    saving: savingNow(),
    sheet:
      find('.jw-tr__columns') === undefined
        ? ''
        : `${find<HTMLInputElement>('.jw-tr__card input:checked')?.value ?? ''},${/已选 (\d+)/.exec(textOf(find('.jw-tr__columns legend')))?.[1] ?? ''}`,
    offers: offered(),
  }
}

function wordsNow(): string {
  return find('.jw-tr--narrow') !== undefined
    ? textOf(find('.jw-tr__end.is-failed h3'))
    : textOf(
        find('.jw-tr .jw-fault') ??
          find('.jw-tr__end .jw-tr__problem') ??
          find('.jw-tr__end p:not(.jw-muted)'),
      )
}

function historyNow(): string {
  const place = find('.jw-tr__history')
  if (place === undefined) return ''
  return [
    place.getAttribute('aria-busy') === 'true',
    find('p button', '重试', place) !== undefined,
    all('li', place).length,
    textOf(find('.jw-tr__pages > span', undefined, place)),
  ].join()
}

function choicesNow(): string {
  return find('.jw-tr__columns') !== undefined
    ? ''
    : [
        ...all<HTMLInputElement>('.jw-tr__card input:checked'),
        ...all<HTMLSelectElement>('.jw-tr__choices select'),
      ]
        .map(({ value }) => value)
        .join()
}

function saidNow(): string {
  return [
    find('.jw-tr__steps .is-now'),
    ...all('.jw-tr__word:not(.jw-tr__lost) > span:first-child, p.jw-tr__word:not(.jw-tr__lost)'),
    find('.jw-tr__note'),
    find('.jw-tr__lost'),
    find('.jw-tr__end h3'),
  ]
    .map(textOf)
    .filter((text) => text !== '' && find('.jw-tr__steps') !== undefined)
    .join('|')
}

function rowsNow(): string {
  if (!review() || find('.jw-tr__verdicts') === undefined) return ''
  const table = find('.jw-tr__rows')
  if (table === undefined)
    return `${verdictNow()},${find('.jw-tr [role=tabpanel] .jw-state button') !== undefined ? 'failed' : find('.jw-tr [role=tabpanel] .jw-state') !== undefined ? 'loading' : ''}`
  return `${verdictNow()},${table.getAttribute('aria-busy') === 'true' ? 'loading' : ''}${all(
    'tbody tr',
    table,
  )
    .map((row) => textOf(row.querySelector<HTMLElement>('td') ?? undefined))
    .join()},${textOf(find('.jw-tr__pages > span', undefined, table))}`
}

function verdictNow() {
  return ['fresh', 'changed', 'same', 'wrong'].find(
    (name) => find(`.jw-tr__verdict.is-${name}`)?.getAttribute('aria-selected') === 'true',
  )
}

function savingNow(): string {
  const isLoading = (text: string) =>
    all('.jw-tr button.bp6-loading').some((each) => textOf(each) === text)
  return isLoading('下载模板')
    ? 'template'
    : isLoading('下载错误的行') || isLoading('下载结果表')
      ? 'result'
      : ''
}
