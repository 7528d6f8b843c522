import {
  type AdoptTablesEvent,
  type adoptTablesMachine,
  type AdoptTablesView,
  adoptTablesView,
} from '@jiaowu/machines'
import { useState } from 'react'
import type { SnapshotFrom } from 'xstate'
import { AdoptDatabase } from '../../../apps/web/src/features/designer/definitions/adopt-database.tsx'
import {
  bySelector,
  button,
  byRole,
  dialog,
  either,
  field,
  having,
  nameOf,
  type Target,
} from '../../surfaces/web/dom/by-role.ts'
import { effectLog } from '../../surfaces/web/dom/effects.ts'
import { custom, fill, press, reachable, unlisted } from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import { text, textOfElement } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { adoptTablesModels, city, customer } from './model.ts'
import { isUnseen } from './unseen.ts'

type Snapshot = SnapshotFrom<typeof adoptTablesMachine>

const page = dialog(zh('designs.adopt'))
const table = byRole('table', zh('designs.adopt'), page)
const box = (name: string | RegExp, scope: Target) =>
  byRole<HTMLInputElement>('checkbox', name, scope)
const boxOf = (name: string) => box(zh('designs.adoptOne', { name }), table)
const nameFor = (name: string) => field(zh('designs.adoptName', { name }), table)
const tableOf = (tag = '') => `shop.${tag.toLowerCase()}`
const schemaBox = box(/^shop \(/, page)
const keeps = box(zh('designs.adoptKeeps'), page)
const owns = box(zh('designs.adoptOwns'), page)
const save = having(button(/^保存 \d+ 个实体$/, page), (each) => each.textContent !== null)
const isListed = ({ rows, step }: AdoptTablesView) =>
  rows.length > 0 && (step === 'choosing' || step === 'saving')

export const adoptTablesWeb = webDriverOf<Snapshot, AdoptTablesEvent, AdoptTablesView>({
  model: adoptTablesModels,
  view: adoptTablesView,
  isGone: {
    model: ({ step }) => step === 'over',
    screen: () => page.all().length === 0,
  },
  readings: {
    tables: {
      model: (view) =>
        isListed(view)
          ? view.rows.map(({ name, isChosen }) => `${name} ${isChosen ? 1 : 0}`).join()
          : '',
      screen: () =>
        ['shop.city', 'shop.customer']
          .flatMap((name) => {
            const [input, box] = [nameFor(name).all()[0], boxOf(name).all()[0]]
            return input === undefined || box === undefined
              ? []
              : [`${input.value} ${box.checked ? 1 : 0}`]
          })
          .join(),
    },
    keeps: {
      model: (view) => isListed(view) && view.keeps === true,
      screen: () => keeps.all()[0]?.checked === true,
    },
    owns: {
      model: (view) => isListed(view) && view.owns === true,
      screen: () => owns.all()[0]?.checked === true,
    },
    progress: {
      model: ({ progress }) =>
        progress === null ? null : String(Math.round((100 * progress.done) / progress.total)),
      screen: () =>
        byRole('progressbar', undefined, page).all()[0]?.getAttribute('aria-valuenow') ?? null,
    },
    cells: {
      model: (view) =>
        isListed(view)
          ? [
              `shop (${view.chosen}/${view.rows.length})`,
              ...view.rows.map((row) =>
                [row.table, ...row.key, row.rows, row.fields, row.links].join(),
              ),
            ].join()
          : '',
      screen: () =>
        [
          ...schemaBox.all().map(nameOf),
          ...byRole('cell', undefined, table).all().map(textOfElement),
        ]
          .filter((each) => each !== '')
          .join(),
    },
    named: {
      model: (view) =>
        isListed(view)
          ? view.rows.map(({ isChosen }) => isChosen && view.step === 'choosing').join()
          : '',
      screen: () =>
        ['shop.city', 'shop.customer']
          .flatMap((name) =>
            nameFor(name)
              .all()
              .map(({ disabled }) => !disabled),
          )
          .join(),
    },
    operable: {
      model: (view) =>
        isListed(view)
          ? [view.keeps, view.owns, 'schema', ...view.rows]
              .flatMap((each) => (each === null ? [] : [view.step === 'choosing']))
              .join()
          : '',
      screen: () =>
        [schemaBox, keeps, owns, boxOf('shop.city'), boxOf('shop.customer')]
          .flatMap((each) => each.all().map(({ disabled }) => !disabled))
          .join(),
    },
    problem: {
      model: (view) =>
        view.step === 'failed' || isListed(view)
          ? (view.faults[0] ?? sentence(view.problem?.message))
          : '',
      screen: text(either(byRole('alert', undefined, page), bySelector('.jw-state__title', page))),
    },
    save: {
      model: ({ chosen }) => zh('designs.adoptSave', { n: chosen }),
      screen: text(save),
    },
  },
  says: {
    'designs.adoptListing': ({ step, progress }) => step === 'drafting' && progress === null,
    'designs.adoptDrafting': ({ progress }) => progress !== null && progress,
    'designs.adoptRefused': ({ refused, step }) =>
      (step === 'choosing' || step === 'saving') && refused.map((each) => ({ ...each })),
    'designs.adoptNone': ({ step, rows }) => step === 'choosing' && rows.length === 0,
    'designs.adoptSaving': ({ step, chosen }) => step === 'saving' && { n: chosen },
  },
  gestures: {
    'adopt.retry': press(button(zh('common.retry'), page)),
    'table.choose': ({ tags, isChosen }) => {
      const wanted = tags.length > 1 ? schemaBox : boxOf(tableOf(tags[0]))
      return custom((held) => {
        const [found] = wanted.all()
        return found !== undefined && found.checked !== isChosen
          ? press(wanted).run(held)
          : undefined
      })
    },
    'table.rename': ({ tag, name }) => unlisted(fill(reachable(nameFor(tableOf(tag))), name)),
    'kept.choose': ({ keeps: wanted }) =>
      custom((held) => {
        const [found] = keeps.all()
        return found !== undefined && found.checked !== wanted ? press(keeps).run(held) : undefined
      }),
    'school.choose': ({ owns: wanted }) =>
      custom((held) => {
        const [found] = owns.all()
        return found !== undefined && found.checked !== wanted ? press(owns).run(held) : undefined
      }),
    'adopt.save': press(reachable(save)),
    'adopt.leave': press(reachable(button(zh('common.cancel'), page))),
  },
  hidden: ({ context, matches }, event) => isUnseen({ context, matches } as Snapshot, event),
  calls: {
    '/table': ['tables', () => ({ batch: 1 })],
    '/design/draft': ['draft', ({ body }) => body as never],
    '/design/adopt': ['adopt', ({ body }) => body as never],
  },
  host,
})

function host(): Host {
  const effects = effectLog(null)
  return {
    mount: (_start, held) => ({
      element: inConsole(
        held,
        <Opened
          asked={{ batch: 1 }}
          onClose={(isSaved) => effects.add(isSaved ? { type: 'adopted', n: 2 } : { type: 'left' })}
        />,
      ),
    }),
    takeEffects: effects.take,
    reply: (port, { output }) =>
      answered(
        port === 'adopt'
          ? { adopted: [city, customer].map(({ definition: { tag, name } }) => ({ tag, name })) }
          : port === 'tables'
            ? (output as readonly string[]).map(offeredTable)
            : output,
      ),
    background: () => answered(null),
  }
}

function offeredTable(table: string) {
  const [schema = '', name = ''] = table.split('.')
  return {
    schema,
    name,
    comment: '',
    kind: 'table',
    rows: 3,
    key: ['id'],
    readOnly: false,
    reason: null,
    tags: [],
  }
}

/** The page around the dialog, which goes when it says so. */
function Opened({ onClose, asked }: Parameters<typeof AdoptDatabase>[0]) {
  const [isOpen, setOpen] = useState(true)
  return isOpen ? (
    <AdoptDatabase
      {...(asked === undefined ? {} : { asked })}
      onClose={(isSaved) => {
        onClose(isSaved)
        setOpen(false)
      }}
    />
  ) : null
}
