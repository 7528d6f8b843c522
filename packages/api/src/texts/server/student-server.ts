import { group } from '../group.ts'

// Answers of the server to students, and texts about orders
// (docs/spec/2-student-service-and-designer.md §8, docs/rules/contract.md#student-service).
export const studentServerTexts = group({
  'student.captchaWrong': ['验证码错误！', 'captcha error!'],
  'student.captchaNeeded': ['请先完成图片验证', 'Complete the picture captcha first'],
  'student.codeTooOften': [
    '获取验证码过于频繁，请 1 分钟后重试',
    'Getting the code too often, retry in 1 minute',
  ],
  'student.codeTooManyMinutes': [
    '获取验证码次数过多，请 {minutes} 分钟后再试',
    'Too many codes were requested, try again in {minutes} minutes',
  ],
  'student.codeTooManyHours': [
    '获取验证码次数过多，请 {hours} 小时后再试',
    'Too many codes were requested, try again in {hours} hours',
  ],
  'student.codeBudget': [
    '短信服务暂时不可用，请 {hours} 小时后再试',
    'The SMS service is not available now, try again in {hours} hours',
  ],
  'student.codeWrong': ['手机号或验证码不正确', 'Wrong mobile number or code'],
  'student.codeCaptcha': [
    '验证码多次输错。再次提交前需完成图片验证，也可以重新获取验证码',
    'Several wrong codes. The next try begins with a picture captcha; you can also get a new code',
  ],
  'student.codeUsedUp': [
    '该验证码输错次数过多，已失效，请重新获取',
    'Too many wrong tries: this code no longer works. Get a new one',
  ],
  'student.registerFailedOnFile': [
    '注册信息与学籍不符，或验证码不正确，或手机号不是学籍登记的号码；登记的号码已更换的，请先到教务处更新',
    'The details do not match a student record, the code is wrong, or the mobile is not the one on record. If your number has changed, ask the registrar’s office to update it first',
  ],
  'registration.decided': ['该申请已审核或已结束', 'The request is decided or over'],
  'registration.over': ['该申请已过期', 'The request is too old'],
  'registration.bound': ['该学生已注册', 'The student has registered already'],
  'student.registerFailed': [
    '注册信息与学籍不符，或验证码不正确',
    'The details do not match a student record, or the code is wrong',
  ],
  // docs/spec/2-student-service-and-designer.md §2: the fee notice of a new school
  'student.feeNotice': [
    '首次下载成绩单、在读证明、成绩转换证明或其他证明，中文每份 5 元，英文每份 30 元；第二次及以后下载免费。',
    'The first download of a transcript, enrolled-student proof, transcript conversion proof or other proof costs 5 yuan in Chinese and 30 yuan in English; second and later downloads are free.',
  ],
  'student.home': ['自助下载', 'Self-service download'],
  'order.paid': ['订单已支付', 'The order is paid'],
  'order.unpaid': ['订单尚未支付', 'The order is not paid'],
  'order.closed': ['订单已关闭', 'The order is closed'],
  'order.refunded': [
    '订单已退款，文件不再提供下载',
    'The order was refunded; the document can no longer be downloaded',
  ],
  'order.payNotOffered': [
    '学校不提供「{payType}」支付，请使用微信支付（wechat）',
    'The school does not offer payment by “{payType}”; pay with WeChat (wechat)',
  ],
  'order.payUnavailable': [
    '暂时无法创建支付订单，请稍后再试',
    'The payment order could not be created now, try again later',
  ],
  'order.product': ['{report}（电子版）', '{report} (electronic)'],
  'refund.notPaid': ['只有已支付的订单可以退款', 'Only a paid order can be refunded'],
  'refund.tooMuch': ['退款金额不能大于支付金额', 'The refund cannot exceed what was paid'],
  'refund.underway': ['该订单已有退款申请', 'There is a refund for this order already'],
  'refund.secondPerson': [
    '须由另一位有退款权限的人员复核',
    'Somebody else with the right to refund has to decide',
  ],
  'refund.decided': ['该退款申请已处理', 'This refund has been decided already'],
  'refund.late': ['关闭后到账，自动退款', 'Paid twice or too late: refunded by the system'],
  'refund.unmade': [
    '文件无法制作，系统申请退款',
    'The document cannot be made: requested by the system',
  ],
  'cashier.title': ['沙箱收银台', 'Sandbox cashier'],
  'cashier.hint': [
    '这是演示用的支付页面，不会产生真实扣款。',
    'A page for trying out payments: no real money moves.',
  ],
  'cashier.order': ['订单号', 'Order number'],
  'cashier.item': ['商品', 'Item'],
  'cashier.pay': ['确认支付', 'Pay'],
  'cashier.fail': ['支付失败', 'Let it fail'],
  'cashier.done': ['支付成功', 'Paid'],
  'cashier.doneHint': [
    '请回到下载页面，文件将自动下载。',
    'Go back to the download page; the file is saved by itself.',
  ],
  'cashier.failed': ['支付未完成', 'Not paid'],
  'cashier.failedHint': [
    '本次支付没有成功，可以再试一次。',
    'This payment did not succeed; you may try again.',
  ],
  'cashier.closed': ['订单已关闭', 'The order is closed'],
  'cashier.closedHint': [
    '订单已关闭或已超时，请在下载页面重新支付。',
    'The order was closed or ran out of time; pay again from the download page.',
  ],
  'cashier.again': ['再试一次', 'Try again'],
})
