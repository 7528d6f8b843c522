import { explainClosed, type Field, isDerived } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import { looksMasked } from '@jiaowu/api/pii'
import { problemText } from '@jiaowu/api/problem'
import { messageText, t } from '@jiaowu/api/texts/index'
import type { WireValue } from '@jiaowu/api/entity/values'
import {
  type EntityFormView,
  entityFormView,
  type FormFieldView,
  type FormGroupView,
} from '@jiaowu/machines/entity-form/view'
import { formatRange } from '@jiaowu/machines/range-text'
import { Box, useWindowSize } from 'ink'
import { useState } from 'react'
import { cellText } from '../../fields/index.ts'
import { prompts } from '../../fields/prompts.tsx'
import { type Binding, Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { RevealScreen, useRevealing } from './reveal-screen.tsx'
import { StaleTable } from './stale-table.tsx'
import { useView } from '../use-view.ts'
import type { FormScreenProps } from './form-screen-props.ts'

interface PartProps extends FormScreenProps {
  readonly view: EntityFormView
}

type Line = { readonly group: Field; readonly folded: boolean } | { readonly shown: FormFieldView }
const isStop = (line: Line) => 'group' in line || line.shown.editing === 'editable'

const labelWidth = 14

/**
 * Form for a record on a terminal: the view of the form machine. Input survives refusals, conflicts
 * and an ended session.
 */
export function FormScreen(props: FormScreenProps) {
  const view = useView(props.actor, entityFormView)
  const part = { ...props, view }
  return (
    <Box flexDirection="column" paddingX={1}>
      <Text bold>
        {view.config?.name ?? ''}{' '}
        {t(props.locale, view.mode === 'add' ? 'common.add' : 'common.edit')}{' '}
        <Text dimColor>{[view.recordName, view.row?.id].filter(Boolean).join(' · ')}</Text>
      </Text>
      {view.step === 'loading' || view.step === 'failed' ? (
        <NotLoaded {...part} />
      ) : view.step === 'stale' ? (
        <StaleTable {...part} />
      ) : view.step === 'saved' || view.step === 'left' ? null : (
        <Fields {...part} />
      )}
      {view.step === 'leaving' ? <LeaveQuestion {...part} /> : null}
    </Box>
  )
}

function NotLoaded({ view, actor, locale }: PartProps) {
  const bindings = [
    ...offer(view.can.retry, 't', t(locale, 'common.retry'), () =>
      actor.send({ type: 'form.retry' }),
    ),
    ...offer(view.can.leave, 'esc', t(locale, 'cli.key.leave'), () =>
      actor.send({ type: 'form.leave' }),
    ),
  ]
  useBindings(bindings)
  return (
    <Box flexDirection="column">
      {view.step === 'loading' ? <Text dimColor>{t(locale, 'common.loading')}</Text> : null}
      {view.problem === null || view.step === 'loading' ? null : (
        <Fault>{problemText(locale, view.problem)}</Fault>
      )}
      <Keys bindings={bindings} />
    </Box>
  )
}

function Fields(props: PartProps) {
  const { view, locale, isCovered = false } = props
  const { rows } = useWindowSize()
  const [isOpen, setOpen] = useState(false)
  const isEditing = view.step === 'editing'
  const { revealing, reveal } = useRevealing(props.makeReveal)
  const { lines, at, bindings } = useFieldKeys(props, reveal)
  useBindings(bindings, isEditing && !isOpen && !isCovered && revealing === null)
  const height = Math.max(6, rows - 8)
  const from = Math.max(0, Math.min(at - Math.floor(height / 2), lines.length - height))
  return (
    <Box flexDirection="column">
      {lines.slice(from, from + height).map((line, index) => {
        const isActive = isEditing && from + index === at && !isCovered && revealing === null
        if ('group' in line)
          return (
            <Text key={line.group.attrName} bold color="cyan">
              {isActive ? '❯ ' : '  '}
              {line.folded ? '▸' : '▾'} {line.group.uiLabel}
            </Text>
          )
        return (
          <FieldLine
            key={line.shown.field.attrName}
            {...props}
            shown={line.shown}
            isActive={isActive}
            setOpen={setOpen}
          />
        )
      })}
      {lines.length > height ? (
        <Text dimColor>
          {from + 1}–{Math.min(lines.length, from + height)}/{lines.length}
        </Text>
      ) : null}
      {view.copyOf === null ? null : (
        <Text dimColor>
          {view.copyOf === ''
            ? t(locale, 'form.copy')
            : t(locale, 'form.copyOf', { name: view.copyOf })}
        </Text>
      )}
      {view.problem === null ? null : <Fault>{problemText(locale, view.problem)}</Fault>}
      {revealing === null ? null : (
        <RevealScreen {...revealing} locale={locale} isCovered={isCovered} />
      )}
      {view.step === 'saving' ? (
        <Text dimColor>{t(locale, 'cli.savingRow')}</Text>
      ) : (
        <Keys bindings={isOpen || revealing !== null ? [] : bindings} />
      )}
    </Box>
  )
}

/**
 * Lines of the form, the current one, and the keys. The cursor stops at groups and editable fields.
 */
function useFieldKeys(props: PartProps, reveal: ((rowId: string, field: Field) => void) | null) {
  const { view, actor, locale } = props
  const lines = listFormLines(view.groups)
  const [wanted, setWanted] = useState<string | null>(null)
  const stops = lines.flatMap((line, index) => (isStop(line) ? [index] : []))
  const found = lines.findIndex((line) => readLineAttrName(line) === wanted)
  const at = found < 0 ? firstStop(lines, stops) : found
  const here = lines[at]
  const go = (to: number | undefined) => {
    if (to === undefined) return
    leaveField(props, here)
    setWanted(readLineAttrName(lines[to]))
  }
  const submit = (next: boolean) => {
    leaveField(props, here)
    actor.send({ type: 'form.submit', next })
    const faulty = entityFormView(actor.getSnapshot())
      .groups.flatMap(({ fields }) => fields)
      .find(({ fault }) => fault !== null)
    if (faulty !== undefined) setWanted(faulty.field.attrName)
  }
  const group = here !== undefined && 'group' in here ? here.group : null
  const field = here !== undefined && 'shown' in here ? here.shown.field : null
  const isChoice = field !== null && findKind(field.uiType).family === 'choice'
  const shownMask = here !== undefined && 'shown' in here ? findMaskedField(here.shown) : null
  const next = stops.find((index) => index > at)
  const previous = stops.findLast((index) => index < at)
  const bindings: readonly Binding[] =
    view.step !== 'editing'
      ? []
      : [
          ...offer(stops.length > 1, '↓', t(locale, 'cli.key.move'), () => go(next)),
          ...offer(true, 'tab', '', () => go(next ?? stops[0])),
          ...offer(true, '↑', '', () => go(previous)),
          ...offer(true, 'shift-tab', '', () => go(previous ?? stops.at(-1))),
          ...offer(group !== null, 'enter', t(locale, 'cli.key.fold'), () => {
            if (group !== null) actor.send({ type: 'group.toggle', attrName: group.attrName })
          }),
          ...offer(isChoice, 'enter', t(locale, 'cli.key.choose'), () => {}),
          ...offer(field !== null && !isChoice, 'enter', '', () => go(next)),
          ...offer(
            reveal !== null && shownMask !== null && view.row !== null,
            '^v',
            t(locale, 'pii.show'),
            () => {
              if (shownMask !== null && view.row !== null) reveal?.(view.row.id, shownMask)
            },
          ),
          ...offer(view.can.submit, '^s', t(locale, 'common.save'), () => submit(false)),
          ...offer(view.can.submitNext, '^n', t(locale, 'form.saveNext'), () => submit(true)),
          ...offer(view.can.submitNext, '^p', t(locale, 'cli.key.pin'), () => {
            if (field !== null) actor.send({ type: 'pin.toggle', attrName: field.attrName })
          }),
          ...offer(view.can.leave, 'esc', t(locale, 'cli.key.leave'), () =>
            actor.send({ type: 'form.leave' }),
          ),
        ]
  return { lines, at, bindings }
}

/** The field of personal data whose mask is shown. */
function findMaskedField({ field, value }: FormFieldView): Field | null {
  return (field.pii ?? null) !== null && looksMasked(value) ? field : null
}

/** Index of the first editable field, else of the first group, else 0. */
function firstStop(lines: readonly Line[], stops: readonly number[]): number {
  const firstField = stops.find((index) => {
    const line = lines[index]
    return line !== undefined && 'shown' in line
  })
  return firstField ?? stops[0] ?? 0
}

function listFormLines(groups: readonly FormGroupView[]): Line[] {
  return groups.flatMap(({ group, folded, fields }): Line[] => [
    ...(group === null ? [] : [{ group, folded }]),
    ...(folded
      ? []
      : fields
          .filter(({ field }) => findKind(field.uiType).layout !== 'divider')
          .map((shown) => ({ shown }))),
  ])
}

function readLineAttrName(line: Line | undefined) {
  return line === undefined
    ? null
    : 'group' in line
      ? line.group.attrName
      : line.shown.field.attrName
}

/**
 * When the cursor leaves a field: the form puts its text into the canonical form and validates it.
 */
function leaveField({ actor, view }: PartProps, line: Line | undefined) {
  if (line === undefined || 'group' in line) return
  const { field } = line.shown
  if (view.can.change) actor.send({ type: 'field.blur', attrName: field.attrName })
}

function FieldLine({
  shown,
  isActive,
  setOpen,
  ...props
}: PartProps & {
  readonly shown: FormFieldView
  readonly isActive: boolean
  readonly setOpen: (isOpen: boolean) => void
}) {
  const { field, value, editing, fault, pinned, warning } = shown
  const { actor, locale, find, view } = props
  const Prompt = prompts[field.uiType]
  const closed = explainClosed(field, editing)
  const range = isActive && editing === 'editable' ? formatRange(field, view.values, locale) : ''
  return (
    <Box>
      <Box width={labelWidth + 4} flexShrink={0}>
        <Text bold={isActive} dimColor={editing === 'readonly'}>
          {isActive ? '❯ ' : '  '}
          {field.uiLabel}
          {isDerived(field) ? ' fx' : ''}
          {pinned === true ? ' •' : ''}
          {field.valids.required === true ? ' *' : ''}
        </Text>
      </Box>
      <Box flexDirection="column" flexGrow={1}>
        {editing === 'readonly' ? (
          <Text dimColor>
            {cellText(field, value, locale) || '-'}
            {closed === null ? '' : ` (${messageText(locale, closed)})`}
          </Text>
        ) : (
          <Prompt
            tag={view.config?.tag ?? ''}
            field={field}
            value={value}
            values={view.values}
            isActive={isActive}
            onChange={(next: WireValue) =>
              actor.send({ type: 'field.change', attrName: field.attrName, value: next })
            }
            find={find}
            locale={locale}
            onOpen={setOpen}
          />
        )}
        {range === '' ? null : <Text dimColor>{range}</Text>}
        {isActive && field.options.help !== undefined ? (
          <Text dimColor>{field.options.help}</Text>
        ) : null}
        {warning === null ? null : <Text color="yellow">{messageText(locale, warning)}</Text>}
        {fault === null ? null : (
          <Fault>{typeof fault === 'string' ? fault : messageText(locale, fault)}</Fault>
        )}
      </Box>
    </Box>
  )
}

function LeaveQuestion({ actor, locale, isCovered = false }: PartProps) {
  const bindings = [
    ...offer(true, 'y', t(locale, 'cli.key.yes'), () => actor.send({ type: 'leave.confirm' })),
    ...offer(true, 'n', t(locale, 'cli.key.no'), () => actor.send({ type: 'leave.cancel' })),
    ...offer(true, 'esc', '', () => actor.send({ type: 'leave.cancel' })),
  ]
  useBindings(bindings, !isCovered)
  return (
    <Box flexDirection="column" marginTop={1}>
      <Text color="yellow">{t(locale, 'form.leave')}</Text>
      <Keys bindings={bindings} />
    </Box>
  )
}
