import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSettings, SettingsError } from './settings.ts'

const production = {
  APP_ENV: 'production',
  SMS_DRIVER: 'aliyun',
  SMS_KEY_ID: 'id',
  SMS_KEY_SECRET: 'secret',
  SMS_SIGN_NAME: '教务处',
  SMS_TEMPLATE_LOGIN: 'SMS_1',
  SMS_TEMPLATE_REGISTER: 'SMS_2',
  DATABASE_URL: 'postgres://u:p@db/jw',
  PII_KEY: Buffer.alloc(32, 1).toString('base64'),
  AUDIT_KEY: Buffer.alloc(32, 2).toString('base64'),
  PUBLIC_URL: 'https://jw.example.edu.cn',
  PAY_DRIVER: 'wechat',
  WECHAT_MCHID: '1900000001',
  WECHAT_APPID: 'wx0',
  WECHAT_SERIAL: 'A1',
  WECHAT_KEY_FILE: 'key.pem',
  WECHAT_APIV3_KEY: 'x'.repeat(32),
}

const bucket = {
  FILE_DRIVER: 's3',
  S3_ENDPOINT: 'https://s3.example.edu.cn/',
  S3_BUCKET: 'jiaowu',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
}

describe('readSettings', () => {
  it('has a default for every optional variable', () => {
    expect(readSettings({})).toEqual({
      port: 7300,
      accessLog: true,
      host: '127.0.0.1',
      databaseWait: 60,
      backupAt: '03:00',
      backupKeep: 7,
      lameDuck: 0,
      drain: 60,
      databasePrepare: true,
      publicUrl: 'http://127.0.0.1:7300',
      dataDir: resolve('./data'),
      businessSchemas: ['biz', 'public', 'form'],
      appEnv: 'development',
      demo: true,
      documentFonts: [],
      smsDriver: 'outbox',
      captchaDriver: 'picture',
      payDriver: 'sandbox',
      mailDriver: 'outbox',
      mailFrom: 'jiaowu@localhost',
      fileDriver: 'disk',
      logLevel: 'info',
      trustProxy: [],
      hstsMaxAge: 31_536_000,
      securityContacts: [],
      ssoProviders: [],
      factorOutside: [],
      hookNetworks: [],
      staffNetworks: [],
      importMaxRows: 50_000,
      revealsPerHour: 30,
      registerMobile: 'any',
      exportMaxRows: 200_000,
      recycleDays: 0,
      historyDays: 1095,
      auditDays: 180,
      smsDailyBudget: 2000,
      campusCidrs: [],
      captchaWork: false,
      captchaWrongHour: 100,
      signInAtOnce: 2,
      signInQueue: 1_000,
      callsPerSecond: 50,
      addressCallsPerSecond: 30,
      tokenCallsPerSecond: 10,
      exportsPerHour: 200,
      importsPerDay: 300,
      campusFactor: 10,
    })
  })

  it('treats an empty variable as absent', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: ' ', ADMIN_PASSWORD: '', DEMO: '' })).toEqual(
      readSettings({}),
    )
  })

  it('reads given values', () => {
    const settings = readSettings({
      PORT: '0',
      HOST: '::1',
      PUBLIC_URL: 'https://jw.example.edu.cn/',
      DATABASE_URL: 'postgres://u:p@db/jw',
      APP_ENV: 'test',
      DEMO: '0',
      ADMIN_PASSWORD: 'xyz',
      CAPTCHA_DRIVER: 'fixed',
      CAPTCHA_FIXED: '1234',
      TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8',
    })
    expect(settings).toMatchObject({
      port: 0,
      host: '::1',
      publicUrl: 'https://jw.example.edu.cn',
      databaseUrl: 'postgres://u:p@db/jw',
      appEnv: 'test',
      demo: false,
      adminPassword: 'xyz',
      captchaDriver: 'fixed',
      captchaFixed: '1234',
      trustProxy: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
    })
    expect(readSettings({ HOST: '::1' }).publicUrl).toBe('http://[::1]:7300')
  })

  it('reads a bucket, and puts it into the path or the host name depending on the address', () => {
    expect(readSettings({ ...bucket, S3_PREFIX: '/school/files/' })).toMatchObject({
      fileDriver: 's3',
      s3: {
        endpoint: 'https://s3.example.edu.cn',
        region: 'us-east-1',
        bucket: 'jiaowu',
        accessKeyId: 'id',
        secretAccessKey: 'secret',
        pathStyle: false,
        prefix: 'school/files/',
      },
    })
    const pathStyle = (env: Record<string, string>) =>
      readSettings({ ...bucket, ...env }).s3?.pathStyle
    expect([
      pathStyle({ S3_ENDPOINT: 'http://10.0.0.7:9000' }),
      pathStyle({ S3_ENDPOINT: 'http://minio:9000' }),
      pathStyle({ S3_ENDPOINT: 'http://[::1]:9000' }),
      pathStyle({ S3_FORCE_PATH_STYLE: '1' }),
      pathStyle({ S3_ENDPOINT: 'http://minio:9000', S3_FORCE_PATH_STYLE: '0' }),
    ]).toEqual([true, true, true, true, false])
    expect(
      readSettings({ ...production, ...bucket, S3_ENDPOINT: 'http://127.0.0.1:9000' }).s3?.endpoint,
    ).toBe('http://127.0.0.1:9000')
    expect(readSettings({ ...bucket, FILE_DRIVER: 'disk' })).toEqual(readSettings({}))
  })

  it('has no demo data in production', () => {
    expect(readSettings(production).demo).toBe(false)
  })

  it.each([
    ['PORT', { PORT: 'seven' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '-1' }],
    ['HOST', { HOST: 'a b' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'jw.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'javascript:alert(1)' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://a,b/jw?target_session_attrs=standby' }],
    ['DATABASE_WAIT', { DATABASE_WAIT: '1h' }],
    ['APP_ENV', { APP_ENV: 'prod' }],
    ['DEMO', { DEMO: 'yes' }],
    ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'x'.repeat(129) }],
    ['SMS_DRIVER', { SMS_DRIVER: 'carrier pigeon' }],
    ['CAPTCHA_DRIVER', { CAPTCHA_DRIVER: 'none' }],
    ['PAY_DRIVER', { PAY_DRIVER: 'alipay' }],
    ['FILE_DRIVER', { FILE_DRIVER: 'ftp' }],
    ['S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY', { FILE_DRIVER: 's3' }],
    ['S3_BUCKET, S3_SECRET_ACCESS_KEY', { ...bucket, S3_BUCKET: '', S3_SECRET_ACCESS_KEY: '' }],
    ['S3_ENDPOINT', { ...bucket, S3_ENDPOINT: 'minio:9000' }],
    ['S3_ENDPOINT', { ...bucket, S3_ENDPOINT: 'https://u:p@s3.example' }],
    ['S3_BUCKET', { ...bucket, S3_BUCKET: 'Files' }],
    ['S3_REGION', { ...bucket, S3_REGION: 'cn north' }],
    ['S3_FORCE_PATH_STYLE', { ...bucket, S3_FORCE_PATH_STYLE: 'yes' }],
    ['S3_PREFIX', { ...bucket, S3_PREFIX: '../x' }],
    ['S3_ENDPOINT', { ...production, ...bucket, S3_ENDPOINT: 'http://minio.example.edu.cn' }],
    ['DOCUMENT_FONTS', { DOCUMENT_FONTS: '/no/such/font.ttf' }],
    ['DOCUMENT_FONTS', { DOCUMENT_FONTS: import.meta.filename }],
    ['CLAMD_SOCKET', { CLAMD_SOCKET: 'clamd.sock' }],
    ['CLAMD_SOCKET', { CLAMD_SOCKET: '127.0.0.1:0' }],
    ['CLAMD_AWAY', { CLAMD_AWAY: 'maybe' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/33' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'everyone' }],
    ['HSTS_MAX_AGE', { HSTS_MAX_AGE: '-1' }],
    ['HSTS_MAX_AGE', { HSTS_MAX_AGE: '63072001' }],
    ['SECURITY_CONTACT', { SECURITY_CONTACT: 'http://jw.example.edu.cn' }],
    ['SECURITY_CONTACT', { SECURITY_CONTACT: 'mailto:a@b.example, somebody' }],
    ['DATA_DIR', { DATA_DIR: 'a\0b' }],
    ['SMS_DRIVER', { ...production, SMS_DRIVER: 'outbox' }],
    ['PAY_DRIVER', { ...production, PAY_DRIVER: 'sandbox' }],
    ['CAPTCHA_DRIVER', { ...production, CAPTCHA_DRIVER: 'fixed', CAPTCHA_FIXED: '1' }],
    ['DEMO', { ...production, DEMO: '1' }],
    ['SMS_KEY_SECRET', { ...production, SMS_KEY_SECRET: '' }],
    ['SMS_APP_ID', { ...production, SMS_DRIVER: 'tencent' }],
    ['SMS_ENDPOINT', { ...production, SMS_ENDPOINT: 'http://sms.example' }],
    ['SMS_DAILY_BUDGET', { SMS_DAILY_BUDGET: 'many' }],
    ['WECHAT_MCHID', { ...production, WECHAT_MCHID: '' }],
    ['WECHAT_APIV3_KEY', { ...production, WECHAT_APIV3_KEY: 'short' }],
    ['WECHAT_ENDPOINT', { ...production, WECHAT_ENDPOINT: 'http://pay.example' }],
    ['WECHAT_PUBLIC_KEY_ID', { ...production, WECHAT_PUBLIC_KEY_ID: 'k' }],
    ['DATABASE_URL', { ...production, DATABASE_URL: '' }],
    ['PII_KEY', { ...production, PII_KEY: '' }],
    ['AUDIT_KEY', { ...production, AUDIT_KEY: '' }],
    ['AUDIT_KEY', { AUDIT_KEY: 'secret' }],
    ['AUDIT_SYSLOG', { AUDIT_SYSLOG: 'logs.example.edu.cn' }],
    ['AUDIT_SYSLOG', { AUDIT_SYSLOG: 'tls://logs.example.edu.cn:99999' }],
    ['AUDIT_SYSLOG_CA', { AUDIT_SYSLOG: 'tcp://127.0.0.1:601', AUDIT_SYSLOG_CA: 'ca.pem' }],
    ['AUDIT_DAYS', { AUDIT_DAYS: '179' }],
    ['AUDIT_DAYS', { AUDIT_DAYS: 'all' }],
    ['PUBLIC_URL', { ...production, PUBLIC_URL: 'http://jw.example.edu.cn' }],
    ['PUBLIC_URL', { ...production, PUBLIC_URL: '' }],
    ['CAMPUS_CIDRS', { CAMPUS_CIDRS: 'dormitory' }],
    ['CAPTCHA_WORK', { CAPTCHA_WORK: 'yes' }],
    ['CAPTCHA_WRONG_HOUR', { CAPTCHA_WRONG_HOUR: '5' }],
    ['ALLOW_PGLITE_PAY', { ALLOW_PGLITE_PAY: 'yes' }],
    ['CAPTCHA_DRIVER', { CAPTCHA_DRIVER: 'fixed', CAPTCHA_FIXED: '1' }],
    ['CAPTCHA_FIXED', { APP_ENV: 'test', CAPTCHA_DRIVER: 'fixed' }],
  ])('names %s in one sentence when given %o', (name, env) => {
    let message = ''
    try {
      readSettings(env)
    } catch (error) {
      if (error instanceof SettingsError) message = error.message
    }
    expect(message).toMatch(new RegExp(`^${name} [^\\n]+\\.$`))
  })
})
