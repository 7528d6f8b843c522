import { emptyMeanings, type ImportMode, onErrorChoices, t } from '@jiaowu/api'
import type { FileFacts } from '@jiaowu/machines'
import { Box } from 'ink'
import { useState } from 'react'
import { sizeText } from '../../entities/import/size-text.ts'
import { Picker } from '../picker.tsx'
import { TextInput } from '../text-input.tsx'
import { Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { type PartProps, problemSentence, sentence, word } from './screen-props.ts'

type Open = 'mode' | 'onError' | 'empty' | null

/** The choices that settle how a sheet is taken in, one picker at a time. */
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
          hint: word(locale, `cli.tr.mode.${value}`),
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
          hint: word(locale, `cli.tr.onError.${value}`),
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
        hint: word(locale, `cli.tr.empty.${value}`),
      }))}
      current={choices.empty}
      onPick={(empty) => choose({ empty })}
      onClose={close}
    />
  )
}

/** The first step: a file by its path, how it is to be taken in, or a job of before. */
export function Choosing(
  props: PartProps & { readonly factsOf: (path: string) => Promise<FileFacts | null> },
) {
  const { view, send, locale, leave, factsOf } = props
  const { file, fault, choices, history, can } = view
  const [path, setPath] = useState('')
  const [unread, setUnread] = useState<string | null>(null)
  const [at, setAt] = useState<number | null>(null)
  const [open, setOpen] = useState<Open>(null)
  const typing = file === null && at === null && open === null
  const take = () => {
    void factsOf(path.trim()).then((facts) => {
      setUnread(facts === null ? path : null)
      if (facts !== null) send({ type: 'file.choose', file: facts })
    })
  }
  const jobs = history.jobs.length
  const chosen = file !== null && at === null
  const bindings = [
    ...offer(can.upload && chosen, 'enter', word(locale, 'cli.key.upload'), () =>
      send({ type: 'upload.start' }),
    ),
    ...offer(typing, 'enter', word(locale, 'cli.key.choose'), () => {}),
    ...offer(at !== null, 'enter', word(locale, 'cli.key.open'), () => {
      const job = history.jobs[at ?? 0]
      if (job !== undefined) send({ type: 'job.open', id: job.id })
    }),
    ...offer(jobs > 0, 'tab', word(locale, 'cli.key.switch'), () => setAt(at === null ? 0 : null)),
    ...offer(at !== null, '↑', '', () => setAt(Math.max(0, (at ?? 0) - 1))),
    ...offer(at !== null, '↓', '', () => setAt(Math.min(jobs - 1, (at ?? 0) + 1))),
    ...offer(
      history.state === 'shown' && history.pageNum < history.pageCount,
      'pgdn',
      word(locale, 'cli.key.page'),
      () => send({ type: 'history.page', pageNum: history.pageNum + 1 }),
    ),
    ...offer(
      history.state === 'shown' && history.pageNum > 1,
      'pgup',
      word(locale, 'cli.key.page'),
      () => send({ type: 'history.page', pageNum: history.pageNum - 1 }),
    ),
    ...offer(history.state === 'failed', '^r', word(locale, 'cli.key.retry'), () =>
      send({ type: 'transfer.retry' }),
    ),
    ...offer(chosen, 'esc', word(locale, 'cli.key.drop'), () => send({ type: 'file.drop' })),
    ...(['mode', 'onError', 'empty'] as const).flatMap((which) =>
      offer(
        true,
        { mode: '^o', onError: '^f', empty: '^g' }[which],
        word(locale, `cli.key.${which}`),
        () => setOpen(which),
      ),
    ),
    ...offer(true, '^d', word(locale, 'cli.key.dryRun'), () =>
      send({ type: 'choices.change', choices: { dryRun: !choices.dryRun } }),
    ),
    ...offer(can.template, '^t', word(locale, 'cli.key.template'), () =>
      send({ type: 'template.save' }),
    ),
    ...offer(!chosen, 'esc', word(locale, 'cli.key.leave'), leave),
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
            onSubmit={take}
            isActive={typing}
            placeholder={t(locale, 'cli.tr.fileHint')}
          />
        ) : (
          <Text bold>
            {file.name} ({sizeText(file.size)})
          </Text>
        )}
      </Box>
      <Text dimColor>
        {word(locale, `cli.tr.mode.${choices.mode}`)} ·{' '}
        {word(locale, `cli.tr.onError.${choices.onError}`)} ·{' '}
        {word(locale, `cli.tr.empty.${choices.empty}`)}
        {choices.dryRun ? ` · ${word(locale, 'cli.key.dryRun')}` : ''}
      </Text>
      {unread === null ? null : (
        <Fault>
          {t(locale, 'cli.cannotRead', { path: unread, reason: t(locale, 'cli.why.missing') })}
        </Fault>
      )}
      {fault === null ? null : <Fault>{sentence(locale, fault)}</Fault>}
      {view.problem === null ? null : <Fault>{problemSentence(locale, view)}</Fault>}
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
          {word(locale, `cli.tr.status.${job.status}`)}
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
