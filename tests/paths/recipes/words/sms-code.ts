import type { MachineWords } from './machine-words.ts'

export const smsCode = {
  name: ['短信验证码', 'The code by SMS'],
  place: ['打开学生服务页', 'Open the page for students'],
  starts: {
    fresh: ['第一次打开', 'Opened for the first time'],
    reloaded: ['刚取过验证码，又刷新了页面', 'A code was sent; then the page was reloaded'],
    over: ['很久以前取过验证码', 'A code was sent long ago'],
  },
  states: {
    starting: ['正在打开', 'starting'],
    idle: ['可以获取验证码', 'a code can be asked for'],
    captcha: ['图片验证码', 'the picture'],
    'captcha.loading': ['正在取图片', 'the picture is loaded'],
    'captcha.entering': ['填写图片中的字符', 'the characters are asked for'],
    'captcha.verifying': ['正在核对', 'the answer is checked'],
    'captcha.wrong': ['字符不对', 'the answer is wrong'],
    'captcha.failed': ['图片取不到', 'the picture could not be loaded'],
    locked: ['要等一会儿才能再取', 'the next code has to wait'],
    sending: ['正在发送短信', 'the SMS is sent'],
  },
  events: {
    'sms.ask': [
      '在“{studentPage.mobile}”中填“{mobile}”，按“{studentPage.getCode}”',
      'Type “{mobile}” into “{studentPage.mobile}”, press “{studentPage.getCode}”',
    ],
    'captcha.prove': ['登录时要求图片验证码', 'A picture is asked for while signing in'],
    'captcha.type': ['填写图片中的字符', 'Type the characters of the picture'],
    'captcha.type(text)': [
      '在图片下填“{answer}”（图片中的字符）',
      'Type “{answer}” (the characters of the picture)',
    ],
    'captcha.type(blank)': ['在图片下只填空格', 'Type only a blank'],
    'captcha.submit': ['按对话框中的确认按钮', 'Press the button of the dialog that confirms'],
    'captcha.renew': ['按“{studentPage.captchaNew}”', 'Press “{studentPage.captchaNew}”'],
    'captcha.cancel': ['关闭图片验证码的对话框', 'Close the dialog with the picture'],
  },
  calls: {
    captcha: ['取图片', 'loading the picture'],
    verify: ['核对图片中的字符', 'checking the characters'],
    smsCode: ['发送短信', 'sending the SMS'],
  },
  endings: {
    'captcha.picture': ['成功', 'it succeeds'],
    'verify.right': ['正确', 'they are right'],
    'verify.wrong': ['不正确', 'they are wrong'],
    'smsCode.minute': ['成功，60 秒后可再取', 'it succeeds; the next one in 60 seconds'],
    'smsCode.silent': ['成功，马上可再取', 'it succeeds; the next one at once'],
    'smsCode.soon': ['被拒绝，太频繁，要等 30 秒', 'it is refused: too often, wait 30 seconds'],
    'smsCode.absurd': ['被拒绝，等待时间无效', 'it is refused, with a wait that makes no sense'],
  },
  times: {
    smsLock: ['等到按钮上的秒数走完', 'Wait until the seconds on the button have run out'],
  },
} as const satisfies MachineWords
