import { limits } from '@jiaowu/api/limits'
import type { Locale } from '@jiaowu/api/locale'
import { problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import {
  type AdoptRow,
  type AdoptTablesView,
  adoptTablesView,
} from '@jiaowu/machines/adopt-tables/view'
import type { adoptTablesMachine } from '@jiaowu/machines/adopt-tables/machine'
import { Box, useWindowSize } from 'ink'
import { useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import { TextInput } from '../text-input.tsx'
import { Bar, type Binding, Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { useView } from '../use-view.ts'

export type AdoptActor = ActorRefFrom<typeof adoptTablesMachine>
interface ScreenProps {
  readonly actor: AdoptActor
  readonly locale: Locale
  /** The sign-in form covers the screen after the session ended: it ignores keys. */
  readonly isCovered?: boolean
}
interface PartProps extends Required<ScreenProps> {
  readonly view: AdoptTablesView
}

/** Tables of a database as a list on a terminal: leave out, rename, answer, save all at once. */
export function AdoptScreen({ isCovered = false, ...props }: ScreenProps) {
  const view = useView(props.actor, adoptTablesView)
  const part = { ...props, isCovered, view }
  return view.step === 'over' ? null : (
    <Box flexDirection="column" paddingX={1}>
      <Text bold>{t(props.locale, 'designs.adopt')}</Text>
      {view.step === 'choosing' || view.step === 'saving' ? (
        <Choosing {...part} />
      ) : (
        <Reading {...part} />
      )}
    </Box>
  )
}

/** While tables are read, and when that failed. */
function Reading({ view, actor, locale, isCovered }: PartProps) {
  const { progress, problem, step, can } = view
  const bindings = [
    ...offer(can.retry, 't', t(locale, 'common.retry'), () => actor.send({ type: 'adopt.retry' })),
    ...offer(can.leave, 'esc', t(locale, 'cli.key.leave'), () =>
      actor.send({ type: 'adopt.leave' }),
    ),
  ]
  useBindings(bindings, !isCovered)
  return (
    <Box flexDirection="column">
      {step === 'failed' ? (
        <Fault>{problem === null ? '' : problemText(locale, problem)}</Fault>
      ) : (
        <>
          <Text>
            {progress === null
              ? t(locale, 'designs.adoptListing')
              : t(locale, 'designs.adoptDrafting', progress)}
          </Text>
          <Bar
            percent={progress === null ? null : Math.round((100 * progress.done) / progress.total)}
          />
        </>
      )}
      <Keys bindings={bindings} />
    </Box>
  )
}

function Choosing(props: PartProps) {
  const { view, actor, locale, isCovered } = props
  const { rows: height } = useWindowSize()
  const [wanted, setWanted] = useState<string | null>(null)
  const [isRenaming, setRenaming] = useState(false)
  const at = Math.max(
    0,
    view.rows.findIndex(({ tag }) => tag === wanted),
  )
  const current = view.rows[at]
  const go = (to: number) => setWanted(view.rows[to]?.tag ?? wanted)
  const isNaming = isRenaming && view.can.choose && current?.isChosen === true
  const endNaming = [
    ...offer(isNaming, 'enter', t(locale, 'cli.key.yes'), () => setRenaming(false)),
    ...offer(isNaming, 'esc', '', () => setRenaming(false)),
  ]
  const bindings = isNaming
    ? endNaming
    : [
        ...offer(at > 0, '↑', t(locale, 'cli.key.move'), () => go(at - 1)),
        ...offer(at + 1 < view.rows.length, '↓', at > 0 ? '' : t(locale, 'cli.key.move'), () =>
          go(at + 1),
        ),
        ...listAdoptBindings(props, current, () => setRenaming(true)),
      ]
  useBindings(bindings, !isCovered)
  if (view.rows.length === 0)
    return (
      <Box flexDirection="column">
        <Text>{t(locale, 'designs.adoptNone')}</Text>
        <Away view={view} locale={locale} />
        <Keys bindings={bindings} />
      </Box>
    )
  const most = Math.max(4, height - 16)
  const from = Math.max(0, Math.min(at - Math.floor(most / 2), view.rows.length - most))
  return (
    <Box flexDirection="column">
      {view.rows.slice(from, from + most).map((row, index) => (
        <TableLine
          key={row.tag}
          row={row}
          isCurrent={from + index === at}
          isNaming={isNaming && from + index === at}
          onName={(name) => actor.send({ type: 'table.rename', tag: row.tag, name })}
          isCovered={isCovered}
        />
      ))}
      {view.rows.length > most ? (
        <Text dimColor>
          {from + 1}–{Math.min(view.rows.length, from + most)}/{view.rows.length}
        </Text>
      ) : null}
      {current === undefined ? null : <Details row={current} locale={locale} />}
      <Answers view={view} locale={locale} />
      <Away view={view} locale={locale} />
      <Refused view={view} locale={locale} />
      {view.step === 'saving' ? (
        <Text dimColor>{t(locale, 'designs.adoptSaving', { n: view.chosen })}</Text>
      ) : (
        <Keys bindings={bindings} />
      )}
    </Box>
  )
}

/** The keys beside those that move the cursor. */
function listAdoptBindings(
  { view, actor, locale }: PartProps,
  current: AdoptRow | undefined,
  rename: () => void,
): readonly Binding[] {
  const { rows, can, keeps, owns, relates, writesPasswords, chosen } = view
  const its = rows.filter(({ schema }) => schema === current?.schema)
  const isAll = its.every(({ isChosen }) => isChosen)
  return [
    ...offer(can.choose && current !== undefined, 'space', t(locale, 'cli.key.choose'), () => {
      if (current !== undefined)
        actor.send({
          type: 'table.choose',
          tags: [current.tag],
          isChosen: !current.isChosen,
        })
    }),
    ...offer(
      can.choose && its.length > 1,
      'a',
      t(locale, 'cli.key.schema', { schema: current?.schema ?? '' }),
      () => actor.send({ type: 'table.choose', tags: its.map(({ tag }) => tag), isChosen: !isAll }),
    ),
    ...offer(
      can.choose && current?.isChosen === true,
      'enter',
      t(locale, 'cli.key.rename'),
      rename,
    ),
    ...offer(can.choose && keeps !== null, 'k', t(locale, 'cli.key.keeps'), () =>
      actor.send({ type: 'kept.choose', keeps: keeps !== true }),
    ),
    ...offer(can.choose && owns !== null, 'o', t(locale, 'cli.key.owns'), () =>
      actor.send({ type: 'school.choose', owns: owns !== true }),
    ),
    ...offer(can.choose && relates !== null, 'r', t(locale, 'cli.key.links'), () =>
      actor.send({ type: 'links.choose', relates: relates !== true }),
    ),
    ...offer(can.choose && writesPasswords !== null, 'p', t(locale, 'cli.key.passwords'), () =>
      actor.send({ type: 'passwords.choose', writes: writesPasswords !== true }),
    ),
    ...offer(can.save, '^s', t(locale, 'designs.adoptSave', { n: chosen }), () =>
      actor.send({ type: 'adopt.save' }),
    ),
    ...offer(can.leave, 'esc', t(locale, 'cli.key.leave'), () =>
      actor.send({ type: 'adopt.leave' }),
    ),
  ]
}

const mark = (isChosen: boolean): string => (isChosen ? '[x]' : '[ ]')

function TableLine({
  row: { table, name, isChosen },
  isCurrent,
  isNaming,
  onName,
  isCovered,
}: {
  readonly row: AdoptRow
  readonly isCurrent: boolean
  readonly isNaming: boolean
  readonly onName: (name: string) => void
  readonly isCovered: boolean
}) {
  return (
    <Box>
      <Text bold={isCurrent} dimColor={!isChosen} wrap="truncate-end">
        {isCurrent ? '❯ ' : '  '}
        {mark(isChosen)} {table}
        {'  '}
      </Text>
      {isNaming ? (
        <TextInput value={name} onChange={onName} isActive={!isCovered} />
      ) : (
        <Text dimColor={!isChosen} wrap="truncate-end">
          {name}
        </Text>
      )}
    </Box>
  )
}

/** Shows the facts about the table at the cursor. */
function Details({ row, locale }: { readonly row: AdoptRow; readonly locale: Locale }) {
  const facts = [
    row.key.length === 0 ? null : `${t(locale, 'designs.adoptKey')} ${row.key.join(', ')}`,
    `${t(locale, 'designs.adoptRows')} ${row.rows?.toLocaleString(locale) ?? t(locale, 'designs.adoptUnknown')}`,
    `${t(locale, 'designs.adoptFields')} ${row.fields}`,
    `${t(locale, 'designs.adoptLinks')} ${row.links}`,
    row.isReadOnly ? t(locale, 'designs.adoptReadOnly') : null,
  ].filter((fact) => fact !== null)
  return (
    <Box flexDirection="column" marginTop={1}>
      <Text>{facts.join(' · ')}</Text>
      {[...row.leftOut.map((part) => t(locale, 'designs.adoptLeftOut', { ...part })), ...row.notes]
        .slice(0, 4)
        .map((note) => (
          <Text key={note} dimColor>
            {note}
          </Text>
        ))}
    </Box>
  )
}

/** Shows the questions about all tables, with the answers. */
function Answers({
  view: { keeps, owns, relates, writesPasswords },
  locale,
}: {
  readonly view: AdoptTablesView
  readonly locale: Locale
}) {
  return (
    <Box flexDirection="column">
      {keeps === null ? null : (
        <Text>
          {mark(keeps)} {t(locale, 'designs.adoptKeeps')}
        </Text>
      )}
      {relates === null ? null : (
        <Text>
          {mark(relates)} {t(locale, 'designs.adoptRelates')}
        </Text>
      )}
      {owns === null ? null : (
        <Text>
          {mark(owns)} {t(locale, 'designs.adoptOwns')}
        </Text>
      )}
      {writesPasswords === null ? null : (
        <Text>
          {mark(writesPasswords)} {t(locale, 'designs.adoptPasswords')}
        </Text>
      )}
    </Box>
  )
}

function Away({
  view: { refused, beyond },
  locale,
}: {
  readonly view: AdoptTablesView
  readonly locale: Locale
}) {
  return (
    <Box flexDirection="column">
      {refused.map((each) => (
        <Text key={each.table} dimColor>
          {t(locale, 'designs.adoptRefused', { ...each })}
        </Text>
      ))}
      {beyond === 0 ? null : (
        <Text dimColor>
          {t(locale, 'designs.adoptBeyond', { n: beyond, most: limits.adoptTables })}
        </Text>
      )}
    </Box>
  )
}

/** Why a save was refused. */
function Refused({
  view: { faults, problem },
  locale,
}: {
  readonly view: AdoptTablesView
  readonly locale: Locale
}) {
  if (problem === null) return null
  const texts = faults.length > 0 ? faults : [problemText(locale, problem)]
  return (
    <Box flexDirection="column">
      {texts.slice(0, 5).map((text) => (
        <Fault key={text}>{text}</Fault>
      ))}
    </Box>
  )
}
