import type { ComponentProps } from 'react'
import { useRouter } from 'wouter'
import { underBase } from '../../page/address.ts'
import type { CardImage } from '../../page/content.ts'

interface PictureProps extends ComponentProps<'img'> {
  image: CardImage
}

/** The image that `image` of `content.ts` names, on a card or a page. Its place is there before it loads. */
export function Picture({ image, ...attributes }: PictureProps) {
  const { base } = useRouter()
  return <img src={underBase(image.src, base)} alt={image.alt} decoding="async" {...attributes} />
}
