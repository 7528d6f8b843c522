// Values that all rows of a file have, on a terminal.
import type { WireValue } from '@jiaowu/api/entity/values'
import { t } from '@jiaowu/api/texts/index'
import type { ReviewView } from '@jiaowu/machines/transfer/view'
import { Box } from 'ink'
import { useState } from 'react'
import { Picker } from '../picker.tsx'
import { TextInput } from '../text-input.tsx'
import { Keys, Text, useBindings } from '../ui.tsx'
import { label, type PartProps } from './screen-props.ts'

/** Each value with the text that told it. */
export function FixedLines({
  review,
  locale,
}: Pick<PartProps, 'locale'> & { readonly review: ReviewView }) {
  return (
    <Box flexDirection="column">
      {review.fixed.map(({ attrName, label: name, value, from }) => (
        <Text key={attrName} wrap="truncate-end">
          {'  = '}
          {name} {attrName} <Text bold>{showValue(value) || '-'}</Text>
          {from === null ? '' : ` · ${t(locale, 'import.fixedFrom', { text: from })}`}
        </Text>
      ))}
    </Box>
  )
}

function showValue(value: WireValue): string {
  return Array.isArray(value) ? value.map(({ name }) => name).join('、') : String(value ?? '')
}

/** Picks a field, where there are several, and takes its value as in a cell. */
export function FixedPrompt({
  view: { review },
  send,
  locale,
  close,
}: PartProps & { readonly close: () => void }) {
  const fixed = review?.fixed ?? []
  const [first, ...more] = fixed
  const [attrName, setAttrName] = useState(more.length === 0 ? (first?.attrName ?? null) : null)
  const chosen = fixed.find((each) => each.attrName === attrName)
  if (chosen === undefined)
    return (
      <Picker
        title={t(locale, 'import.fixed')}
        choices={fixed.map((each) => ({
          value: each.attrName,
          label: each.label,
          hint: showValue(each.value),
        }))}
        current={null}
        onClose={close}
        onPick={setAttrName}
      />
    )
  return (
    <ValuePrompt
      title={chosen.label}
      first={showValue(chosen.value)}
      locale={locale}
      close={close}
      onSubmit={(value) => {
        close()
        send({ type: 'fixed.set', attrName: chosen.attrName, value: value === '' ? null : value })
      }}
    />
  )
}

function ValuePrompt({
  title,
  first,
  locale,
  close,
  onSubmit,
}: Pick<PartProps, 'locale'> & {
  readonly title: string
  readonly first: string
  readonly close: () => void
  readonly onSubmit: (value: string) => void
}) {
  const [text, setText] = useState(first)
  useBindings([{ key: 'esc', label: '', run: close }])
  return (
    <Box flexDirection="column" marginTop={1}>
      <Text bold>{title}</Text>
      <TextInput value={text} onChange={setText} onSubmit={() => onSubmit(text.trim())} />
      <Keys bindings={[{ key: 'enter', label: label(locale, 'cli.key.yes'), run: () => {} }]} />
    </Box>
  )
}
