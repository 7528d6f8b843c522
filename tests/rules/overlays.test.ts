// A dialog or drawer with inputs asks before it drops what was typed: it reports unsaved input to the
// layer around it (apps/web/src/app/unsaved.ts).
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const opensOverlay = /<(?:Dialog|Drawer|SidesDialog)\b/
const hasInputs =
  /<(?:InputGroup|TextArea|NumericInput|HTMLSelect|Checkbox|CheckBox|Radio|RadioGroup|Switch|input|textarea|select|\w*Editor)\b|findFieldSurface\(/
const reports = /<Unsaved(?:Input)?\b|useUnsaved\(/

/** Overlays whose inputs hold nothing that could be lost. */
const excused: Readonly<Record<string, string>> = {
  'features/administration/permissions/rule-drawer.tsx':
    'changes the draft of the page at once; the page asks',
  'features/administration/tenants/tenant-dialogs.tsx':
    'a password that is shown once; the form of a tenant is an ActionDialog',
  'features/entity-list/print/print-drawer.tsx': 'shows values only',
  'features/history/recycle-bin/purge-dialog.tsx': 'a number typed as a confirmation',
  'features/history/recycle-bin/recycle-drawer.tsx': 'conditions of a list',
  'features/student/sign-in/captcha-dialog.tsx': 'letters of a picture that is used once',
  'fields/images.tsx': 'shows pictures; the form that gets a file reports it',
  'shell/settings-panel.tsx': 'each setting counts at once',
  'ui/overlays/sides-dialog.tsx': 'a choice between two values, both of which the editor keeps',
}

it('overlays with inputs report what is unsaved', async () => {
  const silent: string[] = []
  let overlays = 0
  for await (const file of glob('**/*.tsx', { cwd: resolve(root, 'apps/web/src') })) {
    if (file.endsWith('.test.tsx')) continue
    const source = readFileSync(resolve(root, 'apps/web/src', file), 'utf8')
    if (!opensOverlay.test(source)) continue
    overlays += 1
    if (hasInputs.test(source) && !reports.test(source)) silent.push(file)
  }
  expect(overlays).toBeGreaterThan(30)
  expect(silent.toSorted()).toEqual(Object.keys(excused).toSorted())
})
