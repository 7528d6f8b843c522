import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { SavedView } from '@jiaowu/api/entity/list/view'
import type { Row } from '@jiaowu/api/entity/values'
import { limits } from '@jiaowu/api/limits'
import { t } from '@jiaowu/api/texts/index'
import { entityListApiPorts } from '@jiaowu/machines/entity-list/api-ports'
import type { Query } from '@jiaowu/machines/entity-list/conditions/conditions'
import { entityListMachine } from '@jiaowu/machines/entity-list/machine'
import { entityListActors, type EntityListPorts } from '@jiaowu/machines/entity-list/ports'
import { createActor } from 'xstate'
import type { CommandLine } from '../../command-line.ts'
import { parseFilters } from '../../entities/entity-query.ts'
import { saveFile } from '../../files/save-file.ts'
import type { Connection } from '../../session/connect.ts'
import { captchaPicture } from '../../terminal/captcha-picture.ts'
import { openForm } from '../open-form.tsx'
import { runScreen } from '../run-screen.tsx'
import { SignInOver } from '../sign-in-over.tsx'
import { createListNotices, listenForNotices, type ListNotices } from './list-notices.ts'
import { ListScreen, otherLines } from './list-screen.tsx'

interface ListToOpen {
  readonly tag: string
  readonly query: Query
  /** Its groups and figures; its conditions are in the query. */
  readonly view: SavedView | null
  readonly columns: readonly string[] | null
  /** The lines of a record that is opened. */
  readonly formatRecord: (config: EntityConfig, row: Row) => readonly string[]
}

/** How the screen was left: for the form of a record, of a new one (null), or for good. */
type Left = { readonly id: string | null } | null

/** Shows the list of an entity, and the forms opened from it, until the user leaves. */
export async function openList(
  line: CommandLine,
  connection: Connection,
  { tag, query, view, columns, formatRecord }: ListToOpen,
): Promise<void> {
  const { api, session } = connection
  const { signal, locale } = line
  const [user, resources] = await Promise.all([
    api.session.whoami({ signal }),
    api.session.resources({ signal }),
  ])
  const notices = createListNotices()
  const actor = createListActor(line, connection, notices, { tag, query })
  const either = (own: AbortSignal) => AbortSignal.any([own, signal])
  const props = {
    actor,
    locale,
    notices,
    columns,
    user: { permissions: resources.map(({ code }) => code), user: { ...user } },
    readCondition: async (
      config: EntityConfig,
      { attrName }: { readonly attrName: string },
      text: string,
    ) => (await parseFilters(api, config, [`${attrName}=${text}`], locale))[attrName],
    readRecord: async (config: EntityConfig, { id }: Row, abort: AbortSignal) => [
      ...formatRecord(
        config,
        await api.entityData.get({ params: { tag, id }, signal: either(abort) }),
      ),
    ],
    loadViews: async (abort: AbortSignal) =>
      (await api.view.list({ params: { tag }, signal: either(abort) })).views,
  }
  const picture = (key: string) => captchaPicture(api, key, signal)
  const show = () =>
    runScreen<Left>(line, (leave) => (
      <SignInOver session={session} locale={locale} picture={picture}>
        {(isCovered) => (
          <ListScreen
            {...props}
            isCovered={isCovered}
            onForm={(id) => leave({ id })}
            onLeave={() => leave(null)}
          />
        )}
      </SignInOver>
    ))
  actor.start()
  if (view !== null) {
    const { group, footer, frozen } = view
    const { pageSize } = actor.getSnapshot().context
    const where = query.where ?? null
    actor.send({ type: 'view.apply', ...query, where, pageSize, group, footer, frozen })
  }
  try {
    for (let left = await show(); left !== null; left = await show()) {
      const row = await openForm(line, connection, tag, left.id)
      notices.clear()
      if (row === null) continue
      actor.send({ type: 'row.saved' })
      notices.say({
        tone: 'success',
        text: t(locale, left.id === null ? 'form.added' : 'form.modified'),
      })
    }
  } finally {
    actor.stop()
  }
}

function createListActor(
  line: CommandLine,
  { api }: Connection,
  notices: ListNotices,
  { tag, query }: Pick<ListToOpen, 'tag' | 'query'>,
) {
  const { locale, signal, server } = line
  const ports = interruptible(
    entityListApiPorts(api, {
      askWhere: (where) => (where === null || where === undefined ? {} : { where }),
      saveFile: async (file, { tag: of, format }, abort) => {
        const { path } = await saveFile(
          { ...line, signal: abort },
          file,
          undefined,
          `${of}.${format}`,
          (bytes) => actor.send({ type: 'export.progress', bytes }),
        )
        notices.say({ tone: 'info', text: t(locale, 'cli.list.saved', { path }) })
      },
      showEffect: (effect) => {
        if (effect.type === 'message') notices.say({ tone: effect.tone, text: effect.text })
        else if (effect.type === 'open')
          notices.say({
            tone: 'info',
            text: t(locale, 'cli.list.open', { address: `${server}/#${effect.to}` }),
          })
      },
    }),
    signal,
  )
  const actor = createActor(entityListMachine.provide({ actors: entityListActors(ports) }), {
    input: { tag, preset: query, pageSize: countFittingRows() },
  })
  listenForNotices(actor, notices)
  return actor
}

/** Rows of a page: as many as the terminal shows, as the web fills its window. */
function countFittingRows(): number {
  return Math.min(limits.maxPageSize, Math.max(limits.pageSize, process.stderr.rows - otherLines))
}

/** Ctrl-C ends the calls too. */
function interruptible(ports: EntityListPorts, signal: AbortSignal): EntityListPorts {
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [
      name,
      (input: never, abort: AbortSignal) =>
        (port as (input: never, signal: AbortSignal) => unknown)(
          input,
          AbortSignal.any([abort, signal]),
        ),
    ]),
  ) as unknown as EntityListPorts
}
