/** Makes a new key and certificate for a test server on each run, so the project stores no secret. */
import { generateKeyPairSync, sign } from 'node:crypto';

/** Returns one element of DER, the encoding of X.509. */
function element(tag, ...parts) {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts) => element(0x30, ...parts);
const integer = (value) => element(0x02, Buffer.from([value]));
const text = (tag, value) => element(tag, Buffer.from(value, 'ascii'));
const bits = (value) => element(0x03, Buffer.from([0]), value);
const id = (...bytes) => element(0x06, Buffer.from(bytes));

/** ecdsa-with-SHA256, commonName. */
const algorithm = sequence(id(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const commonName = id(0x55, 0x04, 0x03);

/**
 * Returns both as PEM. Only a browser that ignores certificate errors accepts them.
 *
 * @returns {{ key: string, cert: string }}
 */
export function makeSelfSigned() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(element(0x31, sequence(commonName, text(0x0c, 'outside'))));
  const validity = sequence(text(0x17, '250101000000Z'), text(0x17, '450101000000Z'));
  const body = sequence(
    element(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const certificate = sequence(body, algorithm, bits(sign('sha256', body, privateKey)));
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
