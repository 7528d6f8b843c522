import { emptyMeanings, type ImportMode, onErrorChoices } from '@jiaowu/api/contract/job'
import { t } from '@jiaowu/api/texts/index'
import type { FileFacts } from '@jiaowu/machines/transfer/ports'
import { Box } from 'ink'
import { useState } from 'react'
import { sizeText } from '../../entities/import/size-text.ts'
import { Picker } from '../picker.tsx'
import { TextInput } from '../text-input.tsx'
import { type Binding, Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { type PartProps, problemOfView, shownText, label } from './screen-props.ts'

type Open = 'mode' | 'onError' | 'empty' | null

/** Picker for one of the import choices: mode, treatment of wrong rows, or of empty cells. */
export function ChoicePicker({
  view: { choices, modes },
  send,
  locale,
  open,
  close,
}: PartProps & { readonly open: Exclude<Open, null>; readonly close: () => void }) {
  const choose = (change: Partial<typeof choices>) => {
    close()
    send({ type: 'choices.change', choices: change })
  }
  if (open === 'mode')
    return (
      <Picker
        title={t(locale, 'cli.tr.pickMode')}
        choices={modes.map((value: ImportMode) => ({
          value,
          label: value,
          hint: label(locale, `cli.tr.mode.${value}`),
        }))}
        current={choices.mode}
        onPick={(mode) => choose({ mode })}
        onClose={close}
      />
    )
  if (open === 'onError')
    return (
      <Picker
        title={t(locale, 'cli.tr.pickOnError')}
        choices={onErrorChoices.map((value) => ({
          value,
          label: value,
          hint: label(locale, `cli.tr.onError.${value}`),
        }))}
        current={choices.onError}
        onPick={(onError) => choose({ onError })}
        onClose={close}
      />
    )
  return (
    <Picker
      title={t(locale, 'cli.tr.pickEmpty')}
      choices={emptyMeanings.map((value) => ({
        value,
        label: value,
        hint: label(locale, `cli.tr.empty.${value}`),
      }))}
      current={choices.empty}
      onPick={(empty) => choose({ empty })}
      onClose={close}
    />
  )
}

/** First step: a file by its path, the import choices, and earlier jobs. */
export function Choosing(
  props: PartProps & { readonly factsOf: (path: string) => Promise<FileFacts | null> },
) {
  const { view, send, locale, leave, factsOf } = props
  const { file } = view
  const [path, setPath] = useState('')
  const [unreadable, setUnreadable] = useState<string | null>(null)
  const [at, setAt] = useState<number | null>(null)
  const [open, setOpen] = useState<Open>(null)
  const isTyping = file === null && at === null && open === null
  const isChosen = file !== null && at === null
  const chooseFile = () => {
    void factsOf(path.trim()).then((facts) => {
      setUnreadable(facts === null ? path : null)
      if (facts !== null) send({ type: 'file.choose', file: facts })
    })
  }
  const bindings = [
    ...uploadKeys(props, isTyping, at),
    ...historyKeys(props, at, setAt),
    ...offer(isChosen, 'esc', label(locale, 'cli.key.drop'), () => send({ type: 'file.drop' })),
    ...choiceKeys(props, setOpen),
    ...offer(!isChosen, 'esc', label(locale, 'cli.key.leave'), leave),
  ]
  useBindings(bindings, open === null)
  return (
    <Box flexDirection="column">
      <Box>
        <Text>{t(locale, 'cli.tr.file')}</Text>
        {file === null ? (
          <TextInput
            value={path}
            onChange={setPath}
            onSubmit={chooseFile}
            isActive={isTyping}
            placeholder={t(locale, 'cli.tr.fileHint')}
          />
        ) : (
          <Text bold>
            {file.name} ({sizeText(file.size)})
          </Text>
        )}
      </Box>
      <Summary {...props} unreadable={unreadable} />
      <Box marginTop={1} flexDirection="column">
        <Text bold>{t(locale, 'cli.tr.history')}</Text>
        <History {...props} at={at} />
      </Box>
      {open === null ? (
        <Keys bindings={bindings} />
      ) : (
        <ChoicePicker {...props} open={open} close={() => setOpen(null)} />
      )}
    </Box>
  )
}

/** `at`: the selected job of the history; null: the file is active. */
function uploadKeys(
  { view: { file, history, can }, send, locale }: PartProps,
  isTyping: boolean,
  at: number | null,
): readonly Binding[] {
  return [
    ...offer(
      can.upload && file !== null && at === null,
      'enter',
      label(locale, 'cli.key.upload'),
      () => send({ type: 'upload.start' }),
    ),
    ...offer(isTyping, 'enter', label(locale, 'cli.key.choose'), () => {}),
    ...offer(at !== null, 'enter', label(locale, 'cli.key.open'), () => {
      const job = history.jobs[at ?? 0]
      if (job !== undefined) send({ type: 'job.open', id: job.id })
    }),
  ]
}

function historyKeys(
  { view: { history }, send, locale }: PartProps,
  at: number | null,
  setAt: (at: number | null) => void,
): readonly Binding[] {
  const jobs = history.jobs.length
  const isShown = history.state === 'shown'
  const page = label(locale, 'cli.key.page')
  return [
    ...offer(jobs > 0, 'tab', label(locale, 'cli.key.switch'), () => setAt(at === null ? 0 : null)),
    ...offer(at !== null, '↑', '', () => setAt(Math.max(0, (at ?? 0) - 1))),
    ...offer(at !== null, '↓', '', () => setAt(Math.min(jobs - 1, (at ?? 0) + 1))),
    ...offer(isShown && history.pageNum < history.pageCount, 'pgdn', page, () =>
      send({ type: 'history.page', pageNum: history.pageNum + 1 }),
    ),
    ...offer(isShown && history.pageNum > 1, 'pgup', page, () =>
      send({ type: 'history.page', pageNum: history.pageNum - 1 }),
    ),
    ...offer(history.state === 'failed', '^r', label(locale, 'cli.key.retry'), () =>
      send({ type: 'transfer.retry' }),
    ),
  ]
}

function choiceKeys(
  { view: { choices, can }, send, locale }: PartProps,
  setOpen: (open: Open) => void,
): readonly Binding[] {
  const keys = { mode: '^o', onError: '^f', empty: '^g' } as const
  return [
    ...(['mode', 'onError', 'empty'] as const).flatMap((which) =>
      offer(true, keys[which], label(locale, `cli.key.${which}`), () => setOpen(which)),
    ),
    ...offer(true, '^d', label(locale, 'cli.key.dryRun'), () =>
      send({ type: 'choices.change', choices: { dryRun: !choices.dryRun } }),
    ),
    ...offer(can.template, '^t', label(locale, 'cli.key.template'), () =>
      send({ type: 'template.save' }),
    ),
  ]
}

/** The import choices, and the fault of the path, the file or the last request. */
function Summary({ view, locale, unreadable }: PartProps & { readonly unreadable: string | null }) {
  const { choices, fault } = view
  return (
    <>
      <Text dimColor>
        {label(locale, `cli.tr.mode.${choices.mode}`)} ·{' '}
        {label(locale, `cli.tr.onError.${choices.onError}`)} ·{' '}
        {label(locale, `cli.tr.empty.${choices.empty}`)}
        {choices.dryRun ? ` · ${label(locale, 'cli.key.dryRun')}` : ''}
      </Text>
      {unreadable === null ? null : (
        <Fault>
          {t(locale, 'cli.cannotRead', { path: unreadable, reason: t(locale, 'cli.why.missing') })}
        </Fault>
      )}
      {fault === null ? null : <Fault>{shownText(locale, fault)}</Fault>}
      {view.problem === null ? null : <Fault>{problemOfView(locale, view)}</Fault>}
    </>
  )
}

function History({ view: { history }, locale, at }: PartProps & { readonly at: number | null }) {
  if (history.state === 'loading') return <Text dimColor>{t(locale, 'common.loading')}</Text>
  if (history.state === 'failed')
    return <Text color="yellow">{t(locale, 'cli.tr.historyFailed')}</Text>
  if (history.jobs.length === 0) return <Text dimColor>{t(locale, 'cli.tr.noHistory')}</Text>
  return (
    <Box flexDirection="column">
      {history.jobs.map((job, index) => (
        <Text key={job.id} inverse={at === index}>
          {at === index ? '❯ ' : '  '}
          {job.createTime}
          {'  '}
          {job.fileName}
          {'  '}
          {label(locale, `cli.tr.status.${job.status}`)}
          {'  '}
          {t(locale, 'cli.tr.written', {
            inserted: job.inserted,
            updated: job.updated,
            skipped: job.skipped,
            failed: job.failed,
          })}
        </Text>
      ))}
      {history.pageCount > 1 ? (
        <Text dimColor>
          {history.pageNum}/{history.pageCount}
        </Text>
      ) : null}
    </Box>
  )
}
