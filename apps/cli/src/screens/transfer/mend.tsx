import { type JobError, textEncodings } from '@jiaowu/api/contract/job'
import { looksMasked } from '@jiaowu/api/pii'
import { t } from '@jiaowu/api/texts/index'
import { decodedAs, encodingLabel } from '@jiaowu/machines/transfer/reading'
import type { ReviewView } from '@jiaowu/machines/transfer/view'
import { Box } from 'ink'
import { useState } from 'react'
import { Picker } from '../picker.tsx'
import { TextInput } from '../text-input.tsx'
import { Keys, offer, Text, useBindings } from '../ui.tsx'
import { label, type PartProps } from './screen-props.ts'

/** The wrong cells of the shown page. */
export function listWrongCells(review: ReviewView | null): readonly JobError[] {
  return review?.rows.verdict === 'wrong' ? review.rows.records.flatMap(({ errors }) => errors) : []
}

interface Props extends PartProps {
  readonly at: number
  readonly close: () => void
}

/**
 * Corrects a cell and all wrong cells equal to it; begins with the first near choice. Tab adds the
 * cell to the choices, where the user may.
 */
export function MendPrompt({ view, send, locale, at, close }: Props) {
  const error = listWrongCells(view.review)[at]
  const start = error?.suggestions[0] ?? error?.value ?? ''
  const [text, setText] = useState(looksMasked(start) ? '' : start)
  const correct = (value: string, create: boolean) => {
    if (error === undefined || error.attrName === null) return
    const { row, sheet, attrName } = error
    close()
    const mend = {
      ...(sheet === undefined ? { row } : { row, sheet }),
      attrName,
      value,
      equal: true,
    }
    send({ type: 'cell.mend', mend: create ? { ...mend, create } : mend })
  }
  const adding = offer(
    error?.creatable === true,
    'tab',
    t(locale, 'import.addChoice', { value: error?.value ?? '' }),
    () => correct(error?.value ?? '', true),
  )
  useBindings([{ key: 'esc', label: '', run: close }, ...adding])
  if (error === undefined || error.attrName === null) return null
  const { column, value, msg } = error
  return (
    <Box flexDirection="column" marginTop={1}>
      <Text bold>{t(locale, 'cli.tr.mend', { column, value })}</Text>
      <Text dimColor>{msg}</Text>
      <TextInput value={text} onChange={setText} onSubmit={() => correct(text, false)} />
      <Keys
        bindings={[
          { key: 'enter', label: label(locale, 'cli.key.mend'), run: () => {} },
          ...adding,
        ]}
      />
    </Box>
  )
}

/** Moves the heading to another of the first rows. */
export function HeadingPicker({
  view: { review },
  send,
  locale,
  close,
}: PartProps & { readonly close: () => void }) {
  const { preview = [], headerRow = 0 } = review?.file ?? {}
  return (
    <Picker
      title={t(locale, 'cli.tr.pickHeading')}
      choices={[
        { value: 0, label: t(locale, 'cli.tr.noHeading') },
        ...preview.map(({ row, cells }) => ({
          value: row,
          label: String(row),
          hint: cells.slice(0, 8).join(' | '),
        })),
      ]}
      current={headerRow}
      onClose={close}
      onPick={(heading) => {
        close()
        if (heading !== headerRow) send({ type: 'reading.change', reading: { heading } })
      }}
    />
  )
}

/** Ticks sheets of one shape; the first line reads the file again with them. */
export function SheetsPicker({
  view: { review },
  send,
  locale,
  close,
}: PartProps & { readonly close: () => void }) {
  const sheets = review?.file.sheets ?? []
  const [names, setNames] = useState(sheets.filter(({ chosen }) => chosen).map(({ name }) => name))
  const toggle = (wanted: string) =>
    setNames(
      sheets
        .map(({ name }) => name)
        .filter((name) => (name === wanted ? !names.includes(name) : names.includes(name))),
    )
  return (
    <Picker<string | null>
      title={t(locale, 'import.sheets')}
      choices={[
        { value: null, label: t(locale, 'import.readAgain'), hint: names.join(', ') },
        ...sheets.map(({ name, alike, fits, isHidden }) => ({
          value: name,
          label: `${names.includes(name) ? '[x]' : '[ ]'} ${name}`,
          hint: [
            ...(isHidden === true ? [t(locale, 'import.sheetHidden')] : []),
            alike ? t(locale, 'import.sheetAlike') : t(locale, 'import.sheetFits', { n: fits }),
          ].join(' · '),
        })),
      ]}
      current={names[0] ?? null}
      onClose={close}
      onPick={(name) => {
        if (name !== null) toggle(name)
        else if (names.length > 0) {
          close()
          send({ type: 'reading.change', reading: { sheets: names } })
        }
      }}
    />
  )
}

/** Reads a text file again in another encoding. */
export function EncodingPicker({
  view: { review },
  send,
  locale,
  close,
}: PartProps & { readonly close: () => void }) {
  if (review === null) return null
  return (
    <Picker
      title={t(locale, 'import.encoding')}
      choices={textEncodings.map((name) => ({
        value: name,
        label: encodingLabel(locale, review.file, name),
      }))}
      current={review.file.encoding?.name ?? 'utf-8'}
      onClose={close}
      onPick={(name) => {
        close()
        const reading = decodedAs(review.file, name)
        if (reading !== null) send({ type: 'reading.change', reading })
      }}
    />
  )
}
