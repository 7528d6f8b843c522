import { emptyMeanings, rowVerdicts, type RowVerdict, t } from '@jiaowu/api'
import type { ReviewView } from '@jiaowu/machines'
import { Box } from 'ink'
import { useState } from 'react'
import { Picker } from '../picker.tsx'
import { Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { ChoicePicker } from './choosing.tsx'
import { ReviewRows } from './review-rows.tsx'
import { type PartProps, problemSentence, word } from './screen-props.ts'

const shownColumns = 14
const tabs = ['mapping', 'wrong', 'changed', 'fresh', 'same'] as const satisfies readonly (
  | 'mapping'
  | RowVerdict
)[]
type Tab = (typeof tabs)[number]
type Open = 'mode' | 'onError' | 'empty' | 'key' | 'field' | null

/** What would happen, before it does: the columns and the fields they go to, and the rows by verdict. */
export function Review(props: PartProps) {
  const { view, send, locale, leave } = props
  const { review, choices, can, job } = view
  const reviewed = job?.phase !== 'mapping'
  const [onMapping, setOnMapping] = useState(!reviewed)
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const tab: Tab = onMapping || !reviewed ? 'mapping' : (review?.rows.verdict ?? 'wrong')
  const column = review?.columns[at]
  const { pageNum, pageCount, state } = review?.rows ?? {
    pageNum: 1,
    pageCount: 1,
    state: 'none' as const,
  }
  const isMapping = tab === 'mapping'
  const bindings = [
    ...offer(can.run, 'w', word(locale, 'cli.key.write'), () => send({ type: 'job.run' })),
    ...offer(can.check, 'c', word(locale, 'cli.key.check'), () => send({ type: 'job.check' })),
    ...offer(isMapping && column !== undefined, 'enter', word(locale, 'cli.key.assign'), () =>
      setOpen('field'),
    ),
    ...offer(isMapping, '↑', '', () => setAt(Math.max(0, at - 1))),
    ...offer(isMapping, '↓', '', () => setAt(Math.min((review?.columns.length ?? 1) - 1, at + 1))),
    ...offer(isMapping && column !== undefined, 'v', word(locale, 'cli.key.columnEmpty'), () => {
      if (column !== undefined)
        send({
          type: 'column.assign',
          assignment: {
            column: column.column,
            attrName: column.attrName,
            empty:
              emptyMeanings[(emptyMeanings.indexOf(column.empty) + 1) % emptyMeanings.length] ??
              'keep',
          },
        })
    }),
    ...offer(can.resetMapping, 'u', word(locale, 'cli.key.reset'), () =>
      send({ type: 'mapping.reset' }),
    ),
    ...offer(reviewed, 'tab', word(locale, 'cli.key.switch'), () => setOnMapping(!onMapping)),
    ...offer(true, '1', '', () => setOnMapping(true)),
    ...(reviewed ? rowVerdicts : []).flatMap((verdict) =>
      offer(true, String(tabs.indexOf(verdict) + 1), '', () => {
        setOnMapping(false)
        send({ type: 'rows.show', verdict })
      }),
    ),
    ...offer(
      !isMapping && state === 'shown' && pageNum < pageCount,
      '→',
      word(locale, 'cli.key.page'),
      () => send({ type: 'rows.page', pageNum: pageNum + 1 }),
    ),
    ...offer(
      !isMapping && state === 'shown' && pageNum > 1,
      '←',
      word(locale, 'cli.key.page'),
      () => send({ type: 'rows.page', pageNum: pageNum - 1 }),
    ),
    ...offer(can.retry, 't', word(locale, 'cli.key.retry'), () => send({ type: 'transfer.retry' })),
    ...offer(true, 'm', word(locale, 'cli.key.mode'), () => setOpen('mode')),
    ...offer(true, 'o', word(locale, 'cli.key.onError'), () => setOpen('onError')),
    ...offer(true, 'e', word(locale, 'cli.key.empty'), () => setOpen('empty')),
    ...offer(choices.mode !== 'insert', 'k', word(locale, 'cli.key.key'), () => setOpen('key')),
    ...offer(can.result, 's', word(locale, 'cli.key.result'), () =>
      send({ type: 'result.save', format: job?.format ?? 'xlsx', only: 'all' }),
    ),
    ...offer(can.cancel, 'x', word(locale, 'cli.key.cancelJob'), () =>
      send({ type: 'job.cancel' }),
    ),
    ...offer(can.restart, 'n', word(locale, 'cli.key.restart'), () =>
      send({ type: 'transfer.restart' }),
    ),
    ...offer(true, 'q', word(locale, 'cli.key.leave'), leave),
  ]
  useBindings(bindings, open === null)
  if (review === null) return null
  return (
    <Box flexDirection="column">
      <Text>
        {word(locale, `cli.tr.mode.${choices.mode}`)} ·{' '}
        {word(locale, `cli.tr.onError.${choices.onError}`)} ·{' '}
        {word(locale, `cli.tr.empty.${choices.empty}`)}
        {choices.key === null ? '' : ` · ${choices.key}`}
        {choices.dryRun ? ` · ${word(locale, 'cli.key.dryRun')}` : ''}
      </Text>
      <Text bold>
        {t(locale, 'cli.tr.counts', {
          fresh: review.counts.fresh,
          changed: review.counts.changed,
          same: review.counts.same,
          wrong: review.counts.wrong,
        })}
      </Text>
      {review.notes.map((note) => (
        <Text key={note} color="yellow">
          ! {note}
        </Text>
      ))}
      {review.missing.length > 0 ? (
        <Text color="yellow">
          ! {t(locale, 'cli.tr.missing', { fields: review.missing.join(', ') })}
        </Text>
      ) : null}
      {review.edited ? <Text color="yellow">! {t(locale, 'cli.tr.edited')}</Text> : null}
      {reviewed && review.counts.wrong > 0 && choices.onError === 'abort' ? (
        <Text color="yellow">! {t(locale, 'cli.tr.abortHint')}</Text>
      ) : null}
      {view.problem !== null && review.rows.state !== 'failed' ? (
        <Fault>{problemSentence(locale, view)}</Fault>
      ) : null}
      <Tabs tab={tab} review={review} locale={locale} />
      {isMapping ? <Columns review={review} locale={locale} at={at} /> : <ReviewRows {...props} />}
      {open === null ? (
        <Keys bindings={bindings} />
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
          {index + 1} {word(locale, `cli.tr.tab.${each}`)}
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
  return (
    <Box flexDirection="column">
      {review.columns
        .slice(from, from + shownColumns)
        .map(({ column, letter, header, attrName, by, empty, changed, samples }, index) => (
          <Text key={column} wrap="truncate-end" inverse={from + index === at}>
            {from + index === at ? '❯ ' : '  '}
            <Text dimColor>{letter.padEnd(3)}</Text>
            {header} →{' '}
            <Text bold {...(attrName === null ? { color: 'yellow' } : {})}>
              {attrName === null
                ? t(locale, 'cli.tr.skipColumn')
                : `${labelOf(attrName)} ${attrName}`}
            </Text>{' '}
            <Text dimColor>
              {changed
                ? t(locale, 'cli.tr.changedMark')
                : by === null
                  ? ''
                  : word(locale, `cli.tr.by.${by}`)}{' '}
              · {empty}
              {samples.length === 0 ? '' : ` · ${samples.slice(0, 3).join(' | ')}`}
            </Text>
          </Text>
        ))}
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
  const choices = [
    { value: null as string | null, label: t(locale, 'cli.tr.skipColumn') },
    ...view.review.fields.map(({ attrName, label, required }) => ({
      value: attrName as string | null,
      label: `${label}${required ? ' *' : ''}`,
      hint: attrName,
    })),
  ]
  return (
    <Picker
      title={t(locale, 'cli.tr.pickField', { header: column.header })}
      choices={choices}
      current={column.attrName}
      onClose={close}
      onPick={(attrName) => {
        close()
        send({
          type: 'column.assign',
          assignment: { column: column.column, attrName, empty: column.empty },
        })
      }}
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
