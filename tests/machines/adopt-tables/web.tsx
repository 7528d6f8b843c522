import { adoptTablesView } from '@jiaowu/machines/adopt-tables/view'
import { useState } from 'react'
import { AdoptDatabase } from '../../../apps/web/src/features/designer/definitions/adopt-database.tsx'
import { joinTexts, sentence, zh } from '../../surfaces/sentences.ts'
import { findFirst, readAccessibleName, page, type Target } from '../../surfaces/web/dom/by-role.ts'
import type { EffectLog } from '../../surfaces/web/dom/effects.ts'
import { custom, withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { createRead, textOfElement } from '../../surfaces/web/dom/reads.ts'
import { wrapData } from '../../surfaces/web/http/held-fetch.ts'
import { type Host, type Shown, createWebDriver } from '../../surfaces/web/table.ts'
import { adoptTablesModels, city, customer } from './model.ts'
import { isUnseen } from './unseen.ts'

type View = Shown<typeof adoptTablesView>

const dialog = page.dialog(zh('designs.adopt'))
const table = dialog.role('table', zh('designs.adopt'))
const findTableBox = (name: string) => table.checkbox(zh('designs.adoptOne', { name }))
const nameFor = (name: string) => table.field(zh('designs.adoptName', { name }))
const toTableName = (tag = '') => `shop.${tag.toLowerCase()}`
const tables = ['shop.city', 'shop.customer']
const schemaBox = dialog.checkbox(/^shop \(/)
const keeps = dialog.checkbox(zh('designs.adoptKeeps'))
const owns = dialog.checkbox(zh('designs.adoptOwns'))
const relations = dialog.checkbox(zh('designs.adoptRelates'))
const passwords = dialog.checkbox(zh('designs.adoptPasswords'))
const boxes = [schemaBox, keeps, relations, owns, passwords, ...tables.map(findTableBox)]
const save = dialog.button(/^保存 \d+ 个实体$/)
const isOffered = ({ step }: View) => step === 'choosing' || step === 'saving'
const isListed = (view: View) => view.rows.length > 0 && isOffered(view)

export const adoptTablesWeb = createWebDriver<typeof adoptTablesView>({
  model: adoptTablesModels,
  view: adoptTablesView,
  isGone: dialog.isAbsent.is(({ step }) => step === 'over'),
  readings: {
    tables: createRead(() =>
      tables
        .filter((name) => nameFor(name).isShown())
        .map((name) => `${nameFor(name).value()} ${findTableBox(name).checked()}`)
        .join(),
    ).while(isListed, ({ rows }) => rows.map(({ name, isChosen }) => `${name} ${isChosen}`)),
    keeps: keeps.checked.is((view) => isListed(view) && view.keeps === true),
    owns: owns.checked.is((view) => isListed(view) && view.owns === true),
    relates: relations.checked.is((view) => isListed(view) && view.relates === true),
    passwords: passwords.checked.is((view) => isListed(view) && view.writesPasswords === true),
    progress: dialog
      .role('progressbar')
      .attribute('aria-valuenow')
      .is(({ progress }) =>
        progress === null ? '' : String(Math.round((100 * progress.done) / progress.total)),
      ),
    cells: createRead(() =>
      joinTexts(
        ...schemaBox.all().map(readAccessibleName),
        ...table.role('cell').all().map(textOfElement),
      ),
    ).while(isListed, ({ chosen, rows }) => [
      `shop (${chosen}/${rows.length})`,
      ...rows.map((row) => [row.table, ...row.key, row.rows, row.fields, row.links].join()),
    ]),
    named: readEnabled(tables.map(nameFor)).while(isListed, ({ rows, step }) =>
      rows.map((row) => String(row.isChosen && step === 'choosing')),
    ),
    operable: readEnabled(boxes).while(
      isListed,
      ({ keeps: kept, owns: own, relates, writesPasswords, rows, step }) =>
        [kept, relates, own, writesPasswords, 'schema', ...rows]
          .filter((each) => each !== null)
          .map(() => String(step === 'choosing')),
    ),
    problem: findFirst(dialog.alert, dialog.css('.jw-state__title')).text.while(
      (view: View) => view.step === 'failed' || isListed(view),
      ({ faults, problem }) => faults[0] ?? sentence(problem?.message),
    ),
    save: save.text.is(({ chosen }) => zh('designs.adoptSave', { n: chosen })),
  },
  says: {
    'designs.adoptListing': ({ step, progress }) => step === 'drafting' && progress === null,
    'designs.adoptDrafting': ({ progress }) => progress !== null && progress,
    'designs.adoptRefused': (view) => isOffered(view) && view.refused.map((each) => ({ ...each })),
    'designs.adoptNone': ({ step, rows }) => step === 'choosing' && rows.length === 0,
    'designs.adoptSaving': ({ step, chosen }) => step === 'saving' && { n: chosen },
  },
  gestures: {
    'adopt.retry': dialog.button(zh('common.retry')).press,
    'table.choose': ({ tags, isChosen }) =>
      tick(tags.length > 1 ? schemaBox : findTableBox(toTableName(tags[0])), isChosen),
    'table.rename': ({ tag, name }) => withoutOffer(nameFor(toTableName(tag)).reachable.fill(name)),
    'kept.choose': (event) => tick(keeps, event.keeps),
    'school.choose': (event) => tick(owns, event.owns),
    'links.choose': (event) => tick(relations, event.relates),
    'passwords.choose': (event) => tick(passwords, event.writes),
    'adopt.save': save.reachable.press,
    'adopt.leave': dialog.button(zh('common.cancel')).reachable.pressAndDrop,
  },
  covered: ({ s }, event) => isUnseen(s, event),
  calls: {
    '/table': ['tables', () => ({ batch: 1 })],
    '/design/draft': ['draft', ({ body }) => body],
    '/design/adopt': ['adopt', ({ body }) => body],
  },
  toasts: null,
  host: createAdoptHost,
})

/** Tells whether the targets on the page are enabled. */
function readEnabled(targets: readonly Target<HTMLInputElement>[]) {
  return createRead(() =>
    targets
      .flatMap((each) => each.all())
      .map(({ disabled }) => !disabled)
      .join(),
  )
}

function tick(box: Target<HTMLInputElement>, isOn: boolean) {
  return custom((held) =>
    box.isShown() && box.checked() !== isOn ? box.press.run(held) : undefined,
  )
}

function createAdoptHost(effects: EffectLog): Host {
  return {
    show: () => (
      <Opened
        asked={{ batch: 1 }}
        onClose={(isSaved) => effects.add(isSaved ? { type: 'adopted', n: 2 } : { type: 'left' })}
      />
    ),
    reply: (port, { output }) => {
      if (port === 'tables') return wrapData((output as readonly string[]).map(offeredTable))
      const adopted = [city, customer].map(({ definition: { tag, name } }) => ({ tag, name }))
      return wrapData(port === 'adopt' ? { adopted } : output)
    },
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
      onClose={(isSaved, left) => {
        onClose(isSaved, left)
        setOpen(false)
      }}
    />
  ) : null
}
