import { emptyMeanings, exportFormats, onErrorChoices, t, type TextKey } from '@jiaowu/api'
import type { transferMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { all } from '../../surfaces/web/dom.ts'

type Snapshot = SnapshotFrom<typeof transferMachine>
const zh = (key: TextKey): string => (t as (...given: unknown[]) => string)('zh-CN', key)

/** What is written beside the controls and over the columns, whatever is in them. */
const places = [
  '.jw-tr .bp6-drawer-header .bp6-heading',
  '.jw-tr__body .jw-state__title',
  '.jw-tr__cards legend',
  '.jw-tr__card strong',
  '.jw-tr__card small',
  '.jw-tr__field > span',
  '.jw-tr__field option',
  '.jw-tr__history h4',
  '.jw-tr__template',
  '.jw-drop',
  '.jw-tr__mapping thead th',
  '.jw-tr__mapping tbody th',
  '.jw-tr__samples',
  '.jw-tr__mapping option',
  '.jw-tr__verdict',
  '.jw-tr__sheet',
  '.jw-tr__counts dt',
] as const
export function labelsNow(): string {
  return places
    .map((place) =>
      all(place)
        .map((each) => each.textContent?.trim() ?? '')
        .join('/'),
    )
    .join('|')
}

interface Shown {
  readonly at: string
  readonly title: string
  readonly mode: string
  readonly key: string | null
  readonly isReview: boolean
  readonly isOver: boolean
  readonly hasCounts: boolean
  /** Why there are no rows. */ readonly failed: string
  readonly keys: readonly string[]
  readonly modes: readonly string[]
}

/** The same from the machine's state. */
export function labelsOf(
  { context: { file, job } }: Snapshot,
  { at, title, mode, key, isReview, isOver, hasCounts, failed, keys, modes }: Shown,
): string {
  const isChoosing = at === 'choosing',
    isSheet = at === 'sheet'
  const cards = isChoosing
    ? modes.map((each) =>
        [`import.mode.${each}`, `import.mode.${each}.hint`].map((name) => zh(name as TextKey)),
      )
    : isSheet
      ? exportFormats.map((format) => [format, zh(`export.${format}`)])
      : []
  const byKey = mode !== 'insert'
  const fields =
    isChoosing || isReview
      ? [
          ...(isReview ? ['import.mode' as const] : []),
          ...(byKey ? ['import.key' as const] : []),
          'import.onError' as const,
          ...(byKey ? ['import.empty' as const] : []),
        ]
      : []
  const options = {
    'import.mode': modes.map((each) => zh(`import.mode.${each}` as TextKey)),
    'import.key': [
      zh('import.key.id'),
      ...keys,
      ...(key === null || keys.includes(key) ? [] : [key]),
    ],
    'import.onError': onErrorChoices.map((each) => zh(`import.onError.${each}`)),
    'import.empty': emptyMeanings.map((each) => zh(`import.empty.${each}`)),
  } as const
  // A column that an earlier result added is ours, and nobody's to assign.
  const columns = isReview ? (job?.sheet?.columns ?? []).filter(({ by }) => by !== 'own') : []
  const targets = [
    zh('import.skipColumn'),
    ...(job?.sheet?.fields ?? []).map(({ label, required }) =>
      required ? t('zh-CN', 'import.required', { label }) : label,
    ),
  ]
  const perColumn =
    job?.mode === 'insert' ? [] : emptyMeanings.map((each) => zh(`import.empty.${each}`))
  const drop =
    file === null
      ? `${zh('import.drop')} ${zh('import.choose')}${t('zh-CN', 'import.limits', { mb: 20 })}`
      : `${file.name}${file.size} B${zh('import.dropFile')}`
  return [
    [title],
    failed === '' ? [] : [failed],
    isChoosing ? [zh('import.mode')] : isSheet ? [zh('export.format')] : [],
    cards.map(([strong]) => strong),
    cards.map(([, small]) => small),
    fields.map(zh),
    fields.flatMap((field) => options[field]),
    isChoosing ? [zh('import.history')] : [],
    isChoosing ? [`${zh('import.template')}${zh('import.templateHint')}`] : [],
    isChoosing ? [drop] : [],
    isReview
      ? [
          ...(['column', 'header', 'samples', 'field'] as const).map((name) =>
            zh(`import.col.${name}`),
          ),
          ...(job?.mode === 'insert' ? [] : [zh('import.empty')]),
          '',
        ]
      : [],
    columns.map(({ header }) => header),
    columns.map(({ samples }) => samples.join('、')),
    columns.flatMap(() => [...targets, ...perColumn]),
    isReview && job?.phase !== 'mapping'
      ? (['fresh', 'changed', 'same', 'wrong'] as const).map(
          (name) => `${job?.review[name] ?? ''}${zh(`import.verdict.${name}`)}`,
        )
      : [],
    job !== null && (isReview || isOver)
      ? [
          job.total === 0
            ? job.fileName
            : t('zh-CN', 'import.sheetLine', { file: job.fileName, total: job.total }),
        ]
      : [],
    hasCounts
      ? (['inserted', 'updated', 'skipped', 'failed'] as const).map((name) =>
          zh(`import.count.${name}`),
        )
      : [],
  ]
    .map((texts) => texts.join('/'))
    .join('|')
}
