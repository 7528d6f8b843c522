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
} from '../../surfaces/web/by-role.ts'
import { effectLog } from '../../surfaces/web/effects.ts'
import { custom, fill, press, reachable, unlisted } from '../../surfaces/web/gestures.ts'
import { answered } from '../../surfaces/web/held-fetch.ts'
import { text, textOfElement } from '../../surfaces/web/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { adoptTablesModels, city, customer } from './model.ts'

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
        isListed(view) ? [0, 1, 2, 3].map(() => view.step === 'choosing').join() : '',
      screen: () =>
        [schemaBox, keeps, boxOf('shop.city'), boxOf('shop.customer')]
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
    'designs.adoptDrafting': ({ step }) => step === 'drafting',
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
    'adopt.save': press(reachable(save)),
    'adopt.leave': press(reachable(button(zh('common.cancel'), page))),
  },
  hidden: ({ context, matches }, event) => isUnseen({ context, matches } as Snapshot, event),
  calls: {
    '/design/draft': ['draft', () => ({})],
    '/design/adopt': ['adopt', ({ body }) => body as never],
  },
  host,
})

/** What no control of the page does: boxes only change, and a name is not typed where it stays out. */
function isUnseen({ context: { left, names, keeps: kept } }: Snapshot, event: AdoptTablesEvent) {
  switch (event.type) {
    case 'table.choose':
      return (
        event.tags.includes('NOTHING') ||
        (event.tags.length > 1
          ? left.length === 2 || left.length === 1
          : left.includes(event.tags[0] ?? '') !== event.isChosen)
      )
    case 'table.rename':
      return left.includes(event.tag) || names[event.tag] === event.name
    case 'kept.choose':
      return kept === event.keeps
    default:
      return false
  }
}

function host(): Host {
  const effects = effectLog(null)
  return {
    mount: (_start, held) => ({
      element: inConsole(
        held,
        <Opened
          onClose={(isSaved) => effects.add(isSaved ? { type: 'adopted', n: 2 } : { type: 'left' })}
        />,
      ),
    }),
    takeEffects: effects.take,
    reply: (port, { output }) =>
      answered(
        port === 'adopt'
          ? { adopted: [city, customer].map(({ definition: { tag, name } }) => ({ tag, name })) }
          : output,
      ),
    background: () => answered(null),
  }
}

/** The page around the dialog, which goes when it says so. */
function Opened({ onClose }: { readonly onClose: (isSaved: boolean) => void }) {
  const [isOpen, setOpen] = useState(true)
  return isOpen ? (
    <AdoptDatabase
      onClose={(isSaved) => {
        onClose(isSaved)
        setOpen(false)
      }}
    />
  ) : null
}
