/** Test product of one tile. */
export interface SafeProduct {
  /** Time of acquisition, such as `20220615T051131`. */
  readonly sensing: string;
  /** Processing baseline, such as `04.00`. */
  readonly baseline: string;
  /** Time of processing, such as `20220615T083012`. */
  readonly made?: string;
  readonly tile?: string;
  readonly level?: '1C' | '2A';
}

/** Name of the product's folder. */
export function safeName({ sensing, baseline, made = '20230801T010203', tile = '43QGV', level = '2A' }: SafeProduct) {
  return `S2A_MSIL${level}_${sensing}_N${baseline.replace('.', '')}_R019_T${tile}_${made}.SAFE`;
}

/** Path of a band's image in the product. */
export function safeImage({ sensing, tile = '43QGV' }: SafeProduct, band: string, metres: number): string {
  return `GRANULE/L2A_T${tile}_A034312_${sensing}/IMG_DATA/R${metres}m/T${tile}_${sensing}_${band}_${metres}m.jp2`;
}

const OFFSETS = Array.from({ length: 13 }, (_, i) => `<BOA_ADD_OFFSET band_id="${i}">-1000</BOA_ADD_OFFSET>`).join('');

/** Text of `MTD_MSIL2A.xml` for baselines 02.14 to 05.10; without offsets before 04.00. */
export function safeMetadata(product: SafeProduct): string {
  const { sensing, baseline, level = '2A' } = product;
  const [y, mo, d, h, mi, s] = [0, 4, 6, 9, 11, 13].map((at, i) => sensing.slice(at, at + (i === 0 ? 4 : 2)));
  const has = baseline >= '04.00';
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<n1:Level-2A_User_Product xmlns:n1="https://psd-14.sentinel2.eo.esa.int/PSD/User_Product_Level-2A.xsd">
  <n1:General_Info>
    <Product_Info>
      <PRODUCT_START_TIME>${y}-${mo}-${d}T${h}:${mi}:${s}.024Z</PRODUCT_START_TIME>
      <PRODUCT_URI>${safeName(product)}</PRODUCT_URI>
      <PROCESSING_LEVEL>Level-${level}</PROCESSING_LEVEL>
      <PROCESSING_BASELINE>${baseline}</PROCESSING_BASELINE>
      <GENERATION_TIME>2023-08-01T01:02:03.000000Z</GENERATION_TIME>
      <Datatake datatakeIdentifier="GS2A_${sensing}_034312_N${baseline}"><SPACECRAFT_NAME>Sentinel-2A</SPACECRAFT_NAME></Datatake>
    </Product_Info>
    <Product_Image_Characteristics>
      <QUANTIFICATION_VALUES_LIST><BOA_QUANTIFICATION_VALUE unit="none">10000</BOA_QUANTIFICATION_VALUE></QUANTIFICATION_VALUES_LIST>
      ${has ? `<BOA_ADD_OFFSET_VALUES_LIST>${OFFSETS}</BOA_ADD_OFFSET_VALUES_LIST>` : ''}
    </Product_Image_Characteristics>
  </n1:General_Info>
  <n1:Quality_Indicators_Info><Cloud_Coverage_Assessment>12.5</Cloud_Coverage_Assessment></n1:Quality_Indicators_Info>
</n1:Level-2A_User_Product>
`;
}
