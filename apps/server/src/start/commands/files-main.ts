// `npm run files -- disk s3`, or `s3 disk`: copies every stored file to the other store and verifies the
// copies. Uses the settings of the server.
import { areas } from '../../platform/files/storage-path.ts'
import { copyFiles } from '../../platform/files/copy.ts'
import { diskStore } from '../../platform/files/disk-store.ts'
import { fileStore } from '../../platform/files/store.ts'
import { readSettings } from '../../platform/settings/settings.ts'

const [from, to, ...rest] = process.argv.slice(2)
const reportInterval = 500

async function run(): Promise<string> {
  const settings = readSettings({ ...process.env, FILE_DRIVER: 's3' })
  const stores = { s3: fileStore(settings), disk: diskStore(settings.dataDir) }
  await stores.s3.probe()
  const [source, target] = from === 'disk' ? [stores.disk, stores.s3] : [stores.s3, stores.disk]
  const { copied, unchanged } = await copyFiles(source, target, (progress) => {
    if ((progress.copied + progress.unchanged) % reportInterval === 0)
      process.stderr.write(`${progress.copied} copied, ${progress.unchanged} unchanged …\n`)
  })
  return (
    `${copied} copied, ${unchanged} unchanged (${areas.join(', ')}); ` +
    `nothing was removed from ${from}.`
  )
}

if (rest.length > 0 || ![from, to].includes('disk') || ![from, to].includes('s3')) {
  process.stderr.write('usage: npm run files -- disk s3 | s3 disk\n')
  process.exit(2)
}
try {
  process.stdout.write(`${await run()}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
