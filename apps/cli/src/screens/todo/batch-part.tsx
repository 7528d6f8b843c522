import { cutText } from '@jiaowu/api/cut-text'
import type { Locale } from '@jiaowu/api/locale'
import { problemText } from '@jiaowu/api/problem'
import { messageText, t } from '@jiaowu/api/texts/index'
import type { TodoListEvent } from '@jiaowu/machines/todo-list/machine'
import type { TodoListView } from '@jiaowu/machines/todo-list/view'
import { Box } from 'ink'
import { TextInput } from '../text-input.tsx'
import { useTypeAhead } from '../type-ahead.ts'
import { Fault, Keys, offer, Text, useBindings } from '../ui.tsx'

type Batch = NonNullable<TodoListView['batch']>
interface Props {
  readonly view: TodoListView
  readonly batch: Batch
  readonly send: (event: TodoListEvent) => void
  readonly locale: Locale
  readonly isActive: boolean
}

/** Letters of a note, as the server takes them. */
const longestNote = 2000

/** One decision on the chosen cases: its note, what it would do to each, and what it did. */
export function BatchPart({ view, batch, send, locale, isActive }: Props) {
  const { step, can, fault, problem } = view
  const { name, note } = batch.offer
  const isTold = step === 'told'
  const isChecked = step === 'checked' || step === 'sending'
  const isWaiting = step === 'checking' || step === 'sending'
  const close = () => send({ type: 'batch.close' })
  const bindings = [
    ...offer(can.check, 'enter', t(locale, 'todo.check'), () => send({ type: 'batch.check' })),
    ...offer(can.send, 'enter', t(locale, 'todo.send', { name, n: batch.ok }), () =>
      send({ type: 'batch.send' }),
    ),
    ...offer(isTold, 'enter', t(locale, 'common.ok'), close),
    ...offer(!isTold, 'esc', t(locale, 'common.cancel'), close),
    ...offer(isTold, 'esc', '', close),
  ]
  useBindings(bindings, isActive)
  useTypeAhead(isWaiting && isActive, bindings)
  return (
    <Box flexDirection="column" paddingX={1}>
      <Text bold>{name}</Text>
      {note === null || isTold ? null : (
        <Box marginY={1}>
          <Text>{t(locale, 'flowPanel.note')}: </Text>
          <TextInput
            value={batch.note}
            onChange={(typed) => send({ type: 'note.change', note: cutText(typed, longestNote) })}
            isActive={isActive && can.note}
          />
        </Box>
      )}
      <Text dimColor={!isTold}>{describeStep(locale, { isTold, isChecked, batch })}</Text>
      <Cases batch={batch} locale={locale} isTold={isTold} />
      {fault === null ? null : <Fault>{messageText(locale, fault)}</Fault>}
      {problem === null ? null : <Fault>{problemText(locale, problem)}</Fault>}
      {isWaiting ? <Text dimColor>{t(locale, 'common.loading')}</Text> : null}
      <Keys bindings={bindings} />
    </Box>
  )
}

function describeStep(
  locale: Locale,
  {
    isTold,
    isChecked,
    batch: { ok, rows },
  }: { readonly isTold: boolean; readonly isChecked: boolean; readonly batch: Batch },
): string {
  const counts = { ok, refused: rows.length - ok }
  if (isTold) return t(locale, 'todo.told', counts)
  return isChecked ? t(locale, 'todo.checked', counts) : t(locale, 'todo.checkHint')
}

/** The cases by name, with what the check or the decision came to. */
function Cases({
  batch,
  locale,
  isTold,
}: Pick<Props, 'batch' | 'locale'> & { readonly isTold: boolean }) {
  return (
    <Box flexDirection="column" marginY={1}>
      {batch.rows.map(({ key, title, entity, result }) => (
        <Text key={key} wrap="truncate-end">
          - {title} <Text dimColor>{entity}</Text>
          {result === null ? null : result.ok ? (
            <Text color="green">
              {' '}
              {t(locale, isTold ? 'todo.now' : 'todo.would', { state: result.name ?? '' })}
            </Text>
          ) : (
            <Text color="red"> {result.msg ?? ''}</Text>
          )}
        </Text>
      ))}
    </Box>
  )
}
