import {
  type EmptyMeaning,
  emptyMeanings,
  rowVerdicts,
  type RowVerdict,
} from '@jiaowu/api/contract/job'
import { t } from '@jiaowu/api/texts/index'
import type { ReviewView } from '@jiaowu/machines/transfer/view'
import { Box } from 'ink'
import { useState } from 'react'
import { Picker } from '../picker.tsx'
import { type Binding, Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { ChoicePicker } from './choosing.tsx'
import { EncodingPicker, listWrongCells, HeadingPicker, MendPrompt, SheetsPicker } from './mend.tsx'
import { FixedLines, FixedPrompt } from './fixed.tsx'
import { ReviewRows } from './review-rows.tsx'
import { type PartProps, problemOfView, label } from './screen-props.ts'

const shownColumns = 14
const tabs = ['mapping', 'wrong', 'changed', 'fresh', 'same'] as const satisfies readonly (
  | 'mapping'
  | RowVerdict
)[]
type Tab = (typeof tabs)[number]
type Open =
  | 'mode'
  | 'onError'
  | 'empty'
  | 'key'
  | 'field'
  | 'fixed'
  | 'mend'
  | 'heading'
  | 'sheets'
  | 'encoding'
  | null

/** Review before anything is written: the columns with their fields, and the rows by verdict. */
export function Review(props: PartProps) {
  const { view, locale } = props
  const { review } = view
  const state = useReview(view)
  const { tab, at, open, close } = state
  const bindings = [
    ...startKeys(props),
    ...mappingKeys(props, state),
    ...mendKeys(props, state),
    ...tabKeys(props, state),
    ...pageKeys(props, state),
    ...choiceKeys(props, state),
    ...jobKeys(props),
  ]
  useBindings(bindings, open === null)
  if (review === null) return null
  return (
    <Box flexDirection="column">
      <Summary {...props} review={review} isReviewed={state.isReviewed} />
      <Tabs tab={tab} review={review} locale={locale} />
      {tab === 'mapping' ? (
        <>
          <FixedLines review={review} locale={locale} />
          <Columns review={review} locale={locale} at={at} />
        </>
      ) : (
        <ReviewRows {...props} at={tab === 'wrong' && view.can.mend ? state.errorAt : null} />
      )}
      {open === null ? (
        <Keys bindings={bindings} />
      ) : open === 'mend' ? (
        <MendPrompt {...props} at={state.errorAt} close={close} />
      ) : open === 'heading' ? (
        <HeadingPicker {...props} close={close} />
      ) : open === 'sheets' ? (
        <SheetsPicker {...props} close={close} />
      ) : open === 'encoding' ? (
        <EncodingPicker {...props} close={close} />
      ) : open === 'fixed' ? (
        <FixedPrompt {...props} close={close} />
      ) : open === 'field' ? (
        <FieldPicker {...props} at={at} close={close} />
      ) : open === 'key' ? (
        <KeyPicker {...props} close={close} />
      ) : (
        <ChoicePicker {...props} open={open} close={close} />
      )}
    </Box>
  )
}

type ReviewState = ReturnType<typeof useReview>

/**
 * Shown tab, current column, and open picker. A job without a checked mapping shows only the
 * mapping.
 */
function useReview({ review, job }: PartProps['view']) {
  const isReviewed = job?.phase !== 'mapping'
  const [onMapping, setOnMapping] = useState(!isReviewed)
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState<Open>(null)
  const [wantedError, setErrorAt] = useState(0)
  const errorAt = Math.max(0, Math.min(wantedError, listWrongCells(review).length - 1))
  const tab: Tab = onMapping || !isReviewed ? 'mapping' : (review?.rows.verdict ?? 'wrong')
  const close = () => setOpen(null)
  return {
    isReviewed,
    onMapping,
    setOnMapping,
    tab,
    at,
    setAt,
    errorAt,
    setErrorAt,
    open,
    setOpen,
    close,
  }
}

function startKeys({ view: { can }, send, locale }: PartProps): readonly Binding[] {
  return [
    ...offer(can.run, 'w', label(locale, 'cli.key.write'), () => send({ type: 'job.run' })),
    ...offer(can.check, 'c', label(locale, 'cli.key.check'), () => send({ type: 'job.check' })),
  ]
}

function mappingKeys(
  { view: { review, can }, send, locale }: PartProps,
  { tab, at, setAt, setOpen }: ReviewState,
): readonly Binding[] {
  const isMapping = tab === 'mapping'
  const column = isMapping ? review?.columns[at] : undefined
  const last = (review?.columns.length ?? 1) - 1
  return [
    ...offer(column !== undefined, 'enter', label(locale, 'cli.key.assign'), () =>
      setOpen('field'),
    ),
    ...offer(
      isMapping && (review?.fixed.length ?? 0) > 0,
      'f',
      label(locale, 'cli.key.fixed'),
      () => setOpen('fixed'),
    ),
    ...offer(isMapping, '↑', '', () => setAt(Math.max(0, at - 1))),
    ...offer(isMapping, '↓', '', () => setAt(Math.min(last, at + 1))),
    ...offer(column !== undefined, 'v', label(locale, 'cli.key.columnEmpty'), () => {
      if (column !== undefined)
        send({
          type: 'column.assign',
          assignment: {
            column: column.column,
            attrName: column.attrName,
            empty: nextEmptyMeaning(column.empty),
            ...(column.joined !== null && { joined: column.joined }),
          },
        })
    }),
    ...offer(can.resetMapping, 'u', label(locale, 'cli.key.reset'), () =>
      send({ type: 'mapping.reset' }),
    ),
  ]
}

/** Moves between the wrong cells of the page, and corrects one. */
function mendKeys(
  { view: { review, can }, send, locale }: PartProps,
  { tab, errorAt, setErrorAt, setOpen }: ReviewState,
): readonly Binding[] {
  const errors = listWrongCells(review)
  const isOn = tab === 'wrong' && can.mend && errors.length > 0
  const hiddenRows = review?.file.hiddenRows ?? null
  const hasFile = tab === 'mapping' && (review?.file.preview.length ?? 0) > 0
  return [
    ...offer(
      isOn && typeof errors[errorAt]?.attrName === 'string',
      'enter',
      label(locale, 'cli.key.mend'),
      () => setOpen('mend'),
    ),
    ...offer(isOn, '↑', '', () => setErrorAt(Math.max(0, errorAt - 1))),
    ...offer(isOn, '↓', '', () => setErrorAt(Math.min(errors.length - 1, errorAt + 1))),
    ...offer(
      hasFile && (review?.file.sheets.length ?? 0) > 1,
      'b',
      label(locale, 'cli.key.sheets'),
      () => setOpen('sheets'),
    ),
    ...offer(
      hasFile && review?.file.encoding !== null,
      'g',
      label(locale, 'cli.key.encoding'),
      () => setOpen('encoding'),
    ),
    ...offer(
      hasFile && hiddenRows !== null,
      'i',
      label(locale, hiddenRows?.left === true ? 'cli.key.takeHidden' : 'cli.key.leaveHidden'),
      () => send({ type: 'reading.change', reading: { leaveHidden: hiddenRows?.left !== true } }),
    ),
    ...offer(hasFile, 'h', label(locale, 'cli.key.heading'), () => setOpen('heading')),
  ]
}

function nextEmptyMeaning(current: EmptyMeaning): EmptyMeaning {
  return emptyMeanings[(emptyMeanings.indexOf(current) + 1) % emptyMeanings.length] ?? 'keep'
}

function tabKeys(
  { send, locale }: PartProps,
  { isReviewed, onMapping, setOnMapping }: ReviewState,
): readonly Binding[] {
  return [
    ...offer(isReviewed, 'tab', label(locale, 'cli.key.switch'), () => setOnMapping(!onMapping)),
    ...offer(true, '1', '', () => setOnMapping(true)),
    ...(isReviewed ? rowVerdicts : []).flatMap((verdict) =>
      offer(true, String(tabs.indexOf(verdict) + 1), '', () => {
        setOnMapping(false)
        send({ type: 'rows.show', verdict })
      }),
    ),
  ]
}

function pageKeys(
  { view: { review, can }, send, locale }: PartProps,
  { tab }: ReviewState,
): readonly Binding[] {
  const { pageNum = 1, pageCount = 1, state = 'none' } = review?.rows ?? {}
  const hasPages = tab !== 'mapping' && state === 'shown'
  const page = label(locale, 'cli.key.page')
  return [
    ...offer(hasPages && pageNum < pageCount, '→', page, () =>
      send({ type: 'rows.page', pageNum: pageNum + 1 }),
    ),
    ...offer(hasPages && pageNum > 1, '←', page, () =>
      send({ type: 'rows.page', pageNum: pageNum - 1 }),
    ),
    ...offer(can.retry, 't', label(locale, 'cli.key.retry'), () =>
      send({ type: 'transfer.retry' }),
    ),
  ]
}

function choiceKeys(
  { view: { choices }, locale }: PartProps,
  { setOpen }: ReviewState,
): readonly Binding[] {
  return [
    ...offer(true, 'm', label(locale, 'cli.key.mode'), () => setOpen('mode')),
    ...offer(true, 'o', label(locale, 'cli.key.onError'), () => setOpen('onError')),
    ...offer(true, 'e', label(locale, 'cli.key.empty'), () => setOpen('empty')),
    ...offer(choices.mode !== 'insert', 'k', label(locale, 'cli.key.key'), () => setOpen('key')),
  ]
}

function jobKeys({ view: { can, job }, send, locale, leave }: PartProps): readonly Binding[] {
  return [
    ...offer(can.result, 's', label(locale, 'cli.key.result'), () =>
      send({ type: 'result.save', format: job?.format ?? 'xlsx', only: 'all' }),
    ),
    ...offer(can.cancel, 'x', label(locale, 'cli.key.cancelJob'), () =>
      send({ type: 'job.cancel' }),
    ),
    ...offer(can.restart, 'n', label(locale, 'cli.key.restart'), () =>
      send({ type: 'transfer.restart' }),
    ),
    ...offer(true, 'q', label(locale, 'cli.key.leave'), leave),
  ]
}

/** Choices, row counts, and everything that prevents the import or needs attention. */
function Summary({
  view,
  review,
  isReviewed,
  locale,
}: PartProps & { readonly review: ReviewView; readonly isReviewed: boolean }) {
  const { choices } = view
  const { fresh, changed, same, wrong } = review.counts
  const warnings = [
    ...review.notes,
    ...(review.missing.length > 0
      ? [t(locale, 'cli.tr.missing', { fields: review.missing.join(', ') })]
      : []),
    ...(review.existing === null
      ? []
      : [
          t(locale, review.existing.isFound ? 'import.existing' : 'import.existing.maybe', {
            field: review.existing.field,
          }),
        ]),
    ...(review.edited ? [t(locale, 'cli.tr.edited')] : []),
    ...(isReviewed && wrong > 0 && choices.onError === 'abort'
      ? [t(locale, 'cli.tr.abortHint')]
      : []),
  ]
  return (
    <>
      <Text>
        {label(locale, `cli.tr.mode.${choices.mode}`)} ·{' '}
        {label(locale, `cli.tr.onError.${choices.onError}`)} ·{' '}
        {label(locale, `cli.tr.empty.${choices.empty}`)}
        {choices.key === null ? '' : ` · ${choices.key}`}
        {choices.dryRun ? ` · ${label(locale, 'cli.key.dryRun')}` : ''}
      </Text>
      <Text bold>{t(locale, 'cli.tr.counts', { fresh, changed, same, wrong })}</Text>
      {warnings.map((warning) => (
        <Text key={warning} color="yellow">
          ! {warning}
        </Text>
      ))}
      {view.problem !== null && review.rows.state !== 'failed' ? (
        <Fault>{problemOfView(locale, view)}</Fault>
      ) : null}
    </>
  )
}

function Tabs({
  tab,
  review,
  locale,
}: {
  readonly tab: Tab
  readonly review: ReviewView
  readonly locale: PartProps['locale']
}) {
  return (
    <Box columnGap={2} marginY={1}>
      {tabs.map((each, index) => (
        <Text key={each} inverse={each === tab}>
          {' '}
          {index + 1} {label(locale, `cli.tr.tab.${each}`)}
          {each === 'mapping' ? '' : ` ${review.counts[each]}`}{' '}
        </Text>
      ))}
    </Box>
  )
}

function Columns({
  review,
  locale,
  at,
}: {
  readonly review: ReviewView
  readonly locale: PartProps['locale']
  readonly at: number
}) {
  const from = Math.max(
    0,
    Math.min(at - Math.floor(shownColumns / 2), review.columns.length - shownColumns),
  )
  const labelOf = (attrName: string) =>
    review.fields.find((field) => field.attrName === attrName)?.label ?? attrName
  const headerOf = (column: number) => {
    const found = review.columns.find((each) => each.column === column)
    return found?.header || (found?.letter ?? '')
  }
  return (
    <Box flexDirection="column">
      {review.columns
        .slice(from, from + shownColumns)
        .map(
          ({ column, letter, header, attrName, by, empty, changed, samples, joinedTo }, index) => (
            <Text key={column} wrap="truncate-end" inverse={from + index === at}>
              {from + index === at ? '❯ ' : '  '}
              <Text dimColor>{letter.padEnd(3)}</Text>
              {header} →{' '}
              <Text bold {...(attrName === null ? { color: 'yellow' } : {})}>
                {joinedTo !== null
                  ? t(locale, 'import.joinTo', { column: headerOf(joinedTo) })
                  : attrName === null
                    ? t(locale, 'cli.tr.skipColumn')
                    : `${labelOf(attrName)} ${attrName}`}
              </Text>{' '}
              <Text dimColor>
                {changed
                  ? t(locale, 'cli.tr.changedMark')
                  : by === null
                    ? ''
                    : label(locale, `cli.tr.by.${by}`)}{' '}
                · {empty}
                {samples.length === 0 ? '' : ` · ${samples.slice(0, 3).join(' | ')}`}
              </Text>
            </Text>
          ),
        )}
    </Box>
  )
}

function FieldPicker({
  view,
  send,
  locale,
  at,
  close,
}: PartProps & { readonly at: number; readonly close: () => void }) {
  const column = view.review?.columns[at]
  if (view.review === null || column === undefined) return null
  const others = view.review.columns.filter((each) => each.attrName !== null && each !== column)
  const choices = [
    { value: null as string | number | null, label: t(locale, 'cli.tr.skipColumn') },
    ...view.review.fields.map(({ attrName, label, required }) => ({
      value: attrName as string | number | null,
      label: `${label}${required ? ' *' : ''}`,
      hint: attrName,
    })),
    ...others.map((each) => ({
      value: each.column as string | number | null,
      label: t(locale, 'import.joinTo', { column: each.header || each.letter }),
    })),
  ]
  const pick = (value: string | number | null) => {
    const first = others.find((each) => each.column === value)
    const assignment =
      first === undefined
        ? { column: column.column, attrName: value as string | null, empty: column.empty }
        : {
            column: first.column,
            attrName: first.attrName,
            empty: first.empty,
            joined: column.column,
          }
    close()
    send({ type: 'column.assign', assignment })
  }
  return (
    <Picker
      title={t(locale, 'cli.tr.pickField', { header: column.header })}
      choices={choices}
      current={column.joinedTo ?? column.attrName}
      onClose={close}
      onPick={pick}
    />
  )
}

function KeyPicker({ view, send, locale, close }: PartProps & { readonly close: () => void }) {
  const choices = [
    { value: null as string | null, label: t(locale, 'cli.tr.idColumn') },
    ...(view.review?.fields ?? [])
      .filter(({ unique }) => unique)
      .map(({ attrName, label }) => ({ value: attrName as string | null, label, hint: attrName })),
  ]
  return (
    <Picker
      title={t(locale, 'cli.tr.pickKey')}
      choices={choices}
      current={view.choices.key}
      onClose={close}
      onPick={(key) => {
        close()
        send({ type: 'choices.change', choices: { key } })
      }}
    />
  )
}
