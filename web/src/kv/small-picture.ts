/** Pictures for profiles: small, square, and drawn anew, so that nothing of the file but its colours is published. */
import { isPicture } from '@signet/sdk';

const SIDE = 160;
/** Of JPEG, which every browser writes; the first that fits is taken. */
const QUALITIES = [0.9, 0.75, 0.5, 0.3];

/** The middle of a picture as a `data:` URL. @throws DOMException for a file that is no picture */
export async function smallPicture(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext('2d')!;
  // JPEG has no transparency, which would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, SIDE, SIDE);
  const side = Math.min(picture.width, picture.height);
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
  context.drawImage(picture, left, top, side, side, 0, 0, SIDE, SIDE);
  picture.close();
  const found = QUALITIES.map((quality) => canvas.toDataURL('image/jpeg', quality)).find(isPicture);
  if (found === undefined) throw new DOMException('The picture does not become small enough.');
  return found;
}
